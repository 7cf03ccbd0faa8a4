"""The steps of docs/workflow/ert as forward models of ERT: installed beside it, the package brings them, and no INSTALL_JOB is
needed.

    FORWARD_MODEL PLUMECAST_PREDICT(<MODEL>=models/radial-co2, <INPUT>=case.h5)

PLUMECAST_CASE writes a case of a data set, PLUMECAST_PREDICT predicts, PLUMECAST_EXPORT writes files of ECLIPSE,
PLUMECAST_REPORT measures, PLUMECAST_OBSERVE writes what is predicted where observations were made, PLUMECAST_INVERT explains
observations; docs/workflow.md is the manual. All but PLUMECAST_CASE and PLUMECAST_OBSERVE run the executable plumecast.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import ert

_JOBS = Path(__file__).resolve().parent / "workflow" / "jobs"


def _entries(job: Path) -> list[list[str]]:
    """Keywords of a job file with what follows them; `--` begins a comment, unless it is quoted."""
    lines = [line.strip() for line in job.read_text().splitlines()]
    return [shlex.split(line) for line in lines if line and not line.startswith("--")]


class _Step(ert.ForwardModelStepPlugin):
    """A step as its job file describes it."""

    def __init__(self) -> None:
        job = _JOBS / type(self).__name__
        entries = _entries(job)
        one = {words[0]: words[1:] for words in entries}
        executable = one["EXECUTABLE"][0]
        is_script = executable.endswith(".py")
        program = [sys.executable, str((job.parent / executable).resolve())] if is_script else [executable]
        files = {
            option: one[keyword][0]
            for keyword, option in (("STDOUT", "stdout_file"), ("STDERR", "stderr_file"), ("TARGET_FILE", "target_file"))
            if keyword in one
        }
        super().__init__(
            name=job.name,
            command=program + one["ARGLIST"],
            default_mapping={words[1]: words[2] for words in entries if words[0] == "DEFAULT"},
            required_keywords=[words[1] for words in entries if words[0] == "REQUIRED"],
            **files,
        )

    def validate_pre_experiment(self, fm_step_json: Any) -> None:
        """Raises ForwardModelStepValidationError where the executable is missing, before the first realization starts."""
        if shutil.which(self.executable) is None:
            raise ert.ForwardModelStepValidationError(
                f"{self.name}: {self.executable} is not on the PATH (the step runs it); install the executable of Plumecast"
            )

    @classmethod
    def documentation(cls) -> ert.ForwardModelStepDocumentation:
        comment = (_JOBS / cls.__name__).read_text().splitlines()[0].removeprefix("-- ")
        return ert.ForwardModelStepDocumentation(
            source_package="plumecast",
            source_function_name=cls.__name__,
            category="modelling.reservoir",
            description=comment,
            examples=f"FORWARD_MODEL {cls.__name__}(...)",
        )


class PLUMECAST_CASE(_Step):
    pass


class PLUMECAST_PREDICT(_Step):
    pass


class PLUMECAST_EXPORT(_Step):
    pass


class PLUMECAST_REPORT(_Step):
    pass


class PLUMECAST_OBSERVE(_Step):
    pass


class PLUMECAST_INVERT(_Step):
    pass


@ert.plugin(name="plumecast")  # type: ignore[untyped-decorator]
def installable_forward_model_steps() -> list[type[_Step]]:
    """The steps, for ERT, which finds them by the entry point of the package."""
    return [PLUMECAST_CASE, PLUMECAST_PREDICT, PLUMECAST_EXPORT, PLUMECAST_REPORT, PLUMECAST_OBSERVE, PLUMECAST_INVERT]
