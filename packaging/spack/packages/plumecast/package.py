from spack.package import *


class Plumecast(CMakePackage):
    """Predicts where injected CO2 goes and how the pressure rises, by reduced physics and neural operators."""

    license("Apache-2.0")

    # Built from a checkout: spack dev-build plumecast@0.1.0
    version("0.1.0")

    variant("mpi", default=False, description="Run on several ranks with MPI")
    variant("cuda", default=False, description="Build the CUDA backend (CUDA 13, cuDNN 9)")
    variant("inverse", default=True, description="Optimize injection with NLopt")
    variant("pictures", default=True, description="Draw pictures and reports with Cairo")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("eigen@3.4", type="build")
    depends_on("onednn@2.6:3")
    depends_on("hdf5+hl~mpi")
    depends_on("zlib-api")
    depends_on("openssl")
    depends_on("fmt")
    depends_on("spdlog+fmt_external")
    depends_on("cairo+pdf+svg", when="+pictures")
    depends_on("nlopt", when="+inverse")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@13", when="+cuda")
    depends_on("cudnn@9", when="+cuda")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("PLUMECAST_TESTS", False),
            self.define("PLUMECAST_SERVICE", False),
            self.define_from_variant("PLUMECAST_MPI", "mpi"),
            self.define_from_variant("PLUMECAST_CUDA", "cuda"),
            self.define_from_variant("PLUMECAST_INVERSE", "inverse"),
            self.define_from_variant("PLUMECAST_PICTURES", "pictures"),
        ]
