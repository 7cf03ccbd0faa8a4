#include "backend/cuda/vendor/fft.hpp"

namespace plumecast::cuda {

static_assert(CUFFT_SUCCESS == 0);
static_assert(static_cast<int>(FftKind::real_to_complex) == CUFFT_R2C);
static_assert(static_cast<int>(FftKind::complex_to_real) == CUFFT_C2R);
static_assert(sizeof(std::complex<float>) == sizeof(cufftComplex));

Fft::Functions::Functions(const Library& library) {
    library.bind(create, "cufftCreate");
    library.bind(destroy, "cufftDestroy");
    library.bind(get_version, "cufftGetVersion");
    library.bind(set_stream, "cufftSetStream");
    library.bind(set_auto_allocation, "cufftSetAutoAllocation");
    library.bind(set_work_area, "cufftSetWorkArea");
    library.bind(make_plan_many, "cufftMakePlanMany64");
    library.bind(exec_r2c, "cufftExecR2C");
    library.bind(exec_c2r, "cufftExecC2R");
}

int Fft::make_plan_many(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                        long long* onembed, long long ostride, long long odist, FftKind kind, long long batch,
                        std::size_t* work_bytes) {
    return functions_.make_plan_many(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                                     static_cast<cufftType>(kind), batch, work_bytes);
}

int Fft::exec_r2c(int plan, float* real, std::complex<float>* half) {
    const cufftResult set = functions_.set_stream(plan, stream_());
    return set != CUFFT_SUCCESS ? set : functions_.exec_r2c(plan, real, reinterpret_cast<cufftComplex*>(half));
}

int Fft::exec_c2r(int plan, std::complex<float>* half, float* real) {
    const cufftResult set = functions_.set_stream(plan, stream_());
    return set != CUFFT_SUCCESS ? set : functions_.exec_c2r(plan, reinterpret_cast<cufftComplex*>(half), real);
}

std::string Fft::version() const {
    int version = 0;
    if (functions_.get_version(&version) != CUFFT_SUCCESS) {
        return "cuFFT";
    }
    return "cuFFT " + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) + "." +
           std::to_string(version % 100);
}

}  // namespace plumecast::cuda
