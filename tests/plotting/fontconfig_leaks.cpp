// Fontconfig keeps what it read of the font settings until the process ends; the leak sanitizer, which looks for a
// function of this name, reports that as lost memory.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
