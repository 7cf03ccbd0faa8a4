#pragma once

#include <variant>

#include <plumecast/graph/ops/axis_transform.hpp>
#include <plumecast/graph/ops/batch_norm.hpp>
#include <plumecast/graph/ops/box.hpp>
#include <plumecast/graph/ops/conv.hpp>
#include <plumecast/graph/ops/elementwise.hpp>
#include <plumecast/graph/ops/exchange.hpp>
#include <plumecast/graph/ops/further_result.hpp>
#include <plumecast/graph/ops/given.hpp>
#include <plumecast/graph/ops/loss.hpp>
#include <plumecast/graph/ops/matmul.hpp>
#include <plumecast/graph/ops/no_cells.hpp>
#include <plumecast/graph/ops/padded_sum.hpp>
#include <plumecast/graph/ops/rank_sums.hpp>
#include <plumecast/graph/ops/rows.hpp>
#include <plumecast/graph/ops/spectral_multiply.hpp>

namespace plumecast {

/// Any op of a graph.
using Op = std::variant<InputOp, WeightOp, ConstantOp, FurtherResultOp, MatMulOp, ProjectionOp, ProjectionGradientOp,
                        ColumnSumsOp, AxisTransformOp, CombineSignsOp, SpectralMultiplyOp, SpectralDataGradientOp,
                        SpectralWeightGradientOp, ConvOp, ConvDataGradientOp, ConvWeightGradientOp, MomentsOp,
                        RunningMomentsOp, MoveRunningOp, NormaliseOp, NormaliseSumsOp, NormaliseGradientOp, SumsRowOp,
                        PaddedSumOp, PaddedSumGradientOp, RowsOp, ScatterRowsOp, ScaleRowsOp, CropOp, PlaceOp,
                        ReshapeOp, ConcatOp, AddOp, MultiplyOp, ActivateOp, ActivationGradientOp, CastOp, ErrorNormsOp,
                        ErrorRatiosOp, ErrorGradientOp, ExchangeOp, StartExchangeOp, FinishExchangeOp, MergeMomentsOp,
                        SumOverRanksOp, NoCellsOp, ZerosOp>;

}  // namespace plumecast
