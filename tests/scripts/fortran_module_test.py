"""include/plumecast.f90 declares what include/plumecast.h does: functions with their arguments, structs with their members."""
import re
import unittest

from source_tree import ROOT

HEADER = re.sub(r"/\*.*?\*/", "", (ROOT / "include/plumecast.h").read_text(), flags=re.S)
MODULE = re.sub(r"&\s*\n\s*", "", re.sub(r"!.*", "", (ROOT / "include/plumecast.f90").read_text()))


def header_functions():
    """Names of the arguments by the name of the function."""
    found = re.findall(r"PLUMECAST_API\s+[\w\s*]*?\b(plumecast_\w+)\(([^)]*)\);", HEADER)
    return {name: [re.search(r"(\w+)$", one.strip())[1] for one in arguments.split(",") if one.strip() not in ("", "void")]
            for name, arguments in found}


def module_functions():
    found = re.findall(r"(?:function|subroutine) (plumecast_\w+)\(([^)]*)\) bind\(c\)", MODULE)
    return {name: [one.strip() for one in arguments.split(",") if one.strip()] for name, arguments in found}


def header_structs():
    """Names of the members, in their order, of each struct whose members are shown; those of structs within are lifted out."""
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\} \1;", HEADER, re.S):
        body = re.sub(r"\}\s*\w+;", "", re.sub(r"struct \{", "", body))
        structs[name] = [member for one in body.split(";") if one.strip() for member in re.findall(r"(\w+)\s*$", one.strip())]
    return structs


def module_structs():
    structs = {}
    for name, body in re.findall(r"type, bind\(c\) :: (\w+)\n(.*?)end type", MODULE, re.S):
        members = " , ".join(line.split("::")[1] for line in body.splitlines() if "::" in line)
        structs[name] = [re.match(r"\s*(\w+)", one)[1] for one in members.split(",")]
    return structs


def lines_of_enumerators(name):
    body = re.search(rf"typedef enum {name} \{{(.*?)\}} {name};", HEADER, re.S)[1]
    return [word.lower() for word in re.findall(r"\bPLUMECAST_\w+", body)]


class FortranModule(unittest.TestCase):
    def test_has_every_function_with_its_arguments(self):
        self.assertGreater(len(header_functions()), 30)
        self.assertEqual(module_functions(), header_functions())

    def test_has_every_struct_with_its_members_in_their_order(self):
        self.assertGreater(len(header_structs()), 5)
        self.assertEqual(module_structs(), header_structs())

    def test_has_every_status_in_its_order(self):
        enumerators = re.search(r"enumerator ::(.*)", MODULE)[1]
        self.assertEqual(re.findall(r"plumecast_\w+", enumerators), lines_of_enumerators("plumecast_status"))


if __name__ == "__main__":
    unittest.main()
