#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include "bindings/python/callbacks.hpp"
#include "bindings/python/failure.hpp"
#include "bindings/python/handles.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

/// Arrays by their names as plumecast.h takes them, and what those point to.
class NamedArrays {
   public:
    explicit NamedArrays(const nb::dict& arrays) {
        names_.reserve(arrays.size());
        described_.reserve(arrays.size());
        for (const auto& [name, array] : arrays) {
            names_.push_back(nb::cast<std::string>(name));
            described_.emplace_back(nb::cast<WritableArray>(array));
            named_.push_back({names_.back().c_str(), described_.back().array()});
        }
    }
    const plumecast_named* data() const { return named_.data(); }
    std::size_t size() const { return named_.size(); }

   private:
    std::vector<std::string> names_;
    std::vector<DescribedArray> described_;
    std::vector<plumecast_named> named_;
};

/// Calls plumecast.h without the lock of the interpreter, and raises what a callback raised, else what failed.
template <class Call>
void work(Cases& cases, std::int64_t batch, Callbacks& callbacks, const Call& call) {
    plumecast_options options{};
    options.size = sizeof options;
    options.batch = batch;
    callbacks.put_into(options);
    plumecast_status status = PLUMECAST_OK;
    std::string message;
    {
        const nb::gil_scoped_release released;
        const std::lock_guard mine(cases.turn());
        status = call(options);
        message = plumecast_last_error();
    }
    callbacks.rethrow();
    if (status != PLUMECAST_OK) {
        throw Failure(status, message);
    }
}

void predict(const Model& model, Cases& cases, const nb::dict& outputs, std::int64_t batch, nb::object progress,
             nb::object stop, nb::object log) {
    const NamedArrays named(outputs);
    Callbacks callbacks(std::move(progress), std::move(stop), std::move(log));
    work(cases, batch, callbacks, [&](const plumecast_options& options) {
        return plumecast_predict(model.get(), cases.get(), named.data(), named.size(), &options);
    });
}

void predict_file(const Model& model, Cases& cases, const std::string& path, std::int64_t batch, nb::object progress,
                  nb::object stop, nb::object log) {
    Callbacks callbacks(std::move(progress), std::move(stop), std::move(log));
    work(cases, batch, callbacks, [&](const plumecast_options& options) {
        return plumecast_predict_file(model.get(), cases.get(), path.c_str(), &options);
    });
}

}  // namespace

void bind_predict(nb::module_& module) {
    module.def("predict", predict, "model"_a, "cases"_a, "outputs"_a, "batch"_a, "progress"_a.none(), "stop"_a.none(),
               "log"_a.none(),
               nb::sig("def predict(model: Model, cases: Cases, outputs: Mapping[str, object], batch: int,"
                       " progress: Callable[[int, int], object] | None, stop: Callable[[], bool] | None,"
                       " log: Callable[[int, str], None] | None) -> None"),
               "Predicts fields into arrays by their names.");
    module.def("predict_file", predict_file, "model"_a, "cases"_a, "path"_a, "batch"_a, "progress"_a.none(),
               "stop"_a.none(), "log"_a.none(),
               nb::sig("def predict_file(model: Model, cases: Cases, path: str, batch: int,"
                       " progress: Callable[[int, int], object] | None, stop: Callable[[], bool] | None,"
                       " log: Callable[[int, str], None] | None) -> None"),
               "Predicts all fields into a result file.");
}

}  // namespace plumecast::python
