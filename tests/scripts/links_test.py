"""Links between the pages of the repository lead to files, and to headings that are there."""
import re
import subprocess
import unittest

from source_tree import ROOT

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def pages():
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def anchors(page):
    """Those that a web page of the repository gives the headings: small letters, digits, hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub(lambda code: code.group().strip("`"), page.read_text()), re.MULTILINE)
    plain = [LINK.sub(lambda link: link.group().split("](")[0].lstrip("!["), heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in plain}


def broken(page):
    """Links of a page to what is not there; what is elsewhere on the web is not asked for."""
    for target in LINK.findall(CODE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        place = (page.parent / name) if name else page
        if not place.exists() or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
            yield target


class Links(unittest.TestCase):
    def test_lead_to_what_is_there(self):
        found = [f"{page.relative_to(ROOT)}: {target}" for page in pages() for target in broken(page)]
        self.assertEqual(found, [])

    def test_are_looked_at_in_every_page(self):
        self.assertGreater(sum(len(LINK.findall(page.read_text())) for page in pages()), 200)


if __name__ == "__main__":
    unittest.main()
