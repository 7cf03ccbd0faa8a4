# Run by cpack over the files of the package before they are packed: manuals compressed, copyright and changelogs as
# Debian's policy has them (sections 12.1, 12.5 and 12.7).
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(source ${CMAKE_CURRENT_LIST_DIR}/..)
set(documents ${usr}/share/doc/${CPACK_PACKAGE_NAME})

# Without the time of day in the file, so that the same sources give the same package.
function(compress)
    if(ARGN)
        execute_process(COMMAND gzip -9 -n -f ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endfunction()

file(GLOB manuals ${usr}/share/man/man1/*.1)
compress(${manuals})

file(COPY_FILE ${source}/packaging/debian/copyright ${documents}/copyright)
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
file(READ ${source}/packaging/debian/changelog entry)
string(CONFIGURE "${entry}" entry @ONLY)
file(WRITE ${documents}/changelog.Debian "${entry}")
compress(${documents}/changelog ${documents}/changelog.Debian)
