#include "reservoir/h5/joined_type.hpp"

#include <cstddef>

namespace plumecast::h5 {
namespace {

Handle copied_type(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

/// Enumerations count as the integers that they are stored as.
Handle numbers_of(hid_t type) {
    return H5Tget_class(type) == H5T_ENUM ? Handle(H5Tget_super(type), H5Tclose) : copied_type(type);
}

Handle wider(hid_t a, hid_t b) { return copied_type(H5Tget_size(b) > H5Tget_size(a) ? b : a); }

Handle joined_integers(hid_t a, hid_t b) {
    if (H5Tget_sign(a) == H5Tget_sign(b)) {
        return copied_type(H5Tget_precision(b) > H5Tget_precision(a) ? b : a);
    }
    const bool is_first_signed = H5Tget_sign(a) == H5T_SGN_2;
    const hid_t with_sign = is_first_signed ? a : b;
    const std::size_t unsigned_bytes = H5Tget_size(is_first_signed ? b : a);
    if (H5Tget_size(with_sign) > unsigned_bytes) {
        return copied_type(with_sign);
    }
    return copied_type(unsigned_bytes == 1   ? H5T_NATIVE_INT16
                       : unsigned_bytes == 2 ? H5T_NATIVE_INT32
                                             : H5T_NATIVE_INT64);
}

/// Whether a type of reals holds the numbers of another: by the bits of mantissa and exponent, which nbit filters
/// lower.
bool holds_reals(hid_t type, hid_t other) {
    std::size_t sign = 0, exponent_at = 0, mantissa_at = 0, exponents[2] = {}, mantissas[2] = {};
    H5Tget_fields(type, &sign, &exponent_at, &exponents[0], &mantissa_at, &mantissas[0]);
    H5Tget_fields(other, &sign, &exponent_at, &exponents[1], &mantissa_at, &mantissas[1]);
    return exponents[0] >= exponents[1] && mantissas[0] >= mantissas[1];
}

Handle joined_reals(hid_t a, hid_t b) {
    return copied_type(holds_reals(a, b) ? a : holds_reals(b, a) ? b : H5T_NATIVE_DOUBLE);
}

/// Single precision holds integers of 2 bytes.
Handle joined_with_integer(hid_t real, hid_t integer) {
    return joined_reals(real, H5Tget_size(integer) > 2 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT);
}

}  // namespace

Handle joined_type(hid_t a, hid_t b) {
    if (H5Tequal(a, b) > 0) {
        return copied_type(a);
    }
    const Handle one = numbers_of(a), two = numbers_of(b);
    const H5T_class_t kind = H5Tget_class(one.get()), other = H5Tget_class(two.get());
    const bool are_codes = H5Tget_class(a) == H5T_ENUM && H5Tget_class(b) == H5T_ENUM;
    if (kind == H5T_STRING && other == H5T_STRING) {
        return wider(one.get(), two.get());
    }
    if (kind == H5T_FLOAT && other == H5T_FLOAT) {
        return joined_reals(one.get(), two.get());
    }
    if (kind == H5T_INTEGER && other == H5T_INTEGER && !are_codes) {
        return joined_integers(one.get(), two.get());
    }
    if (kind == H5T_FLOAT && other == H5T_INTEGER) {
        return joined_with_integer(one.get(), two.get());
    }
    return kind == H5T_INTEGER && other == H5T_FLOAT ? joined_with_integer(two.get(), one.get()) : Handle();
}

}  // namespace plumecast::h5
