#pragma once

#include <plumecast/graph/layers.hpp>

#include "architectures/conv_axes.hpp"

namespace plumecast {

struct NetworkConfig;

/// Convolution, batch norm and activation.
Value normalised_conv(const Value& x, const ConvGeometry& geometry, std::int64_t outputs, bool with_bias,
                      Activation activation, const StatisticsOf& statistics, const LayerPath& at);

/// The three-level U-Net path of a U-Fourier block (Wen et al. 2022), the same width at every level; extents are
/// multiples of 8.
Value unet(const Value& v, const ConvAxes& axes, const StatisticsOf& statistics, const LayerPath& at);

/// Fourier blocks, plain ones first (fno, conv_fno, ufno), then the projection: Li et al. (ICLR 2021), Wen et al.
/// (2022).
Value fourier_network(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics);

/// Residual encoder-decoder after CCSNet (Wen, Hay and Benson 2021).
Value cnn(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics);

/// Fourier blocks that transform one axis at a time: Tran et al. (ICLR 2023), "Factorized Fourier Neural Operators".
Value f_fno(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics);

/// A U of Fourier blocks, on ever coarser grids and back: Rahman, Ross and Azizzadenesheli (TMLR 2023), "U-NO".
Value uno(Value v, const NetworkConfig& config, const Shape& extents, const StatisticsOf& statistics);

/// Two linear layers, with the activation between them, of the cells before padding: where Fourier networks end.
Value projected(const Value& v, const NetworkConfig& config, const Shape& extents);

/// What differs from the defaults of NetworkConfig in the published or usual networks.
void set_usual_fno(NetworkConfig& config);
void set_usual_cnn(NetworkConfig& config);
void set_usual_f_fno(NetworkConfig& config);
void set_usual_uno(NetworkConfig& config);

/// At most as many numbers as the weights of these networks hold.
double least_fourier_weights(const NetworkConfig& config);
/// The same of a cnn.
double least_cnn_weights(const NetworkConfig& config);

/// Numbers of a convolution of kernel 3 for each pair of channels.
double kernel_numbers(const NetworkConfig& config);

}  // namespace plumecast
