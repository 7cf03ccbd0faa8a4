#pragma once

/// The ops there are, for those who make some or are about some: graphs know them by their properties alone.
#include <plumecast/graph/ops/axis_transform.hpp>
#include <plumecast/graph/ops/batch_norm.hpp>
#include <plumecast/graph/ops/box.hpp>
#include <plumecast/graph/ops/conv.hpp>
#include <plumecast/graph/ops/elementwise.hpp>
#include <plumecast/graph/ops/exchange.hpp>
#include <plumecast/graph/ops/given.hpp>
#include <plumecast/graph/ops/loss.hpp>
#include <plumecast/graph/ops/matmul.hpp>
#include <plumecast/graph/ops/padded_sum.hpp>
#include <plumecast/graph/ops/rank_sums.hpp>
#include <plumecast/graph/ops/rows.hpp>
#include <plumecast/graph/ops/spectral_conv.hpp>
#include <plumecast/graph/ops/spectral_multiply.hpp>
