"""scripts/gpu/ranks.sh compares two ranks with one, and says why where it cannot."""
import json
import os
import subprocess
import unittest

from source_tree import ROOT, FolderTest


class GpuRanks(FolderTest):
    def stand_in(self, name, script):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)
        return path

    def ranks(self, transport="host", of_one=0.25, of_two=0.25, options="--transport MEMORY", devices=2):
        """Status and output where one rank and two have these mean errors."""
        said = [json.dumps({"fields": [{"mean": {"mpe": error}}]}) for error in (of_one, of_two)]
        program = self.stand_in("plumecast", f"""case "$*" in *--help*) echo '{options}' ;; *) echo '{said[0]}' ;; esac""")
        self.stand_in("mpirun", f"""echo "$*" > '{self.folder}/started'; echo '{said[1]}'""")
        self.stand_in("nvidia-smi", f"seq {devices}")
        done = subprocess.run(["bash", str(ROOT / "scripts/gpu/ranks.sh"), str(program), "model", "cases.h5", transport],
                              env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}, capture_output=True,
                              text=True, check=False, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def test_passes_where_both_agree_and_shares_each_case_by_the_transport_named(self):
        status, said = self.ranks()
        self.assertEqual((status, said), (0, "mean errors of two ranks and of one: 0.0e+00 apart\n"))
        started = (self.folder / "started").read_text()
        self.assertIn("-n 2 ", started)
        self.assertIn("--device cuda --grid 1x2 --transport host", started)

    def test_fails_where_two_ranks_find_other_errors(self):
        status, said = self.ranks(of_two=0.2501)
        self.assertEqual(status, 1)
        self.assertIn("4.0e-04 apart", said)

    def test_is_skipped_without_mpi_and_without_a_second_device_for_nccl(self):
        status, said = self.ranks(options="--device DEVICE")
        self.assertEqual(status, 77)
        self.assertIn("has no MPI", said)
        self.assertEqual(self.ranks("nccl", devices=1)[0], 77)
        self.assertEqual(self.ranks("nccl", devices=2)[0], 0)


if __name__ == "__main__":
    unittest.main()
