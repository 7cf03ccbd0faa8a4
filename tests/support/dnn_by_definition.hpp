#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/dnn/functions.hpp"

namespace plumecast::testing {

/// An engine of a stand-in for cuDNN.
struct DnnEngine {
    std::vector<cuda::DnnNote> notes{};
    std::int64_t bytes = 24;  ///< of workspace
    /// Of finalising its plan, and of executing it: success, a refusal, or a failure of the device.
    int planning = 0, execution = 0;
};

/// What was asked of a stand-in for cuDNN.
struct AskedOfDnn {
    int created = 0, destroyed = 0;
    std::vector<int> executed{};  ///< engines, counted over the modes A, B and fallback
};

/// The graph functions of cuDNN on the host, for one convolution, by the definition in float64, for any strides. As
/// strict as its documentation: attributes are set once, before a descriptor is finalised, and have their type; extents
/// fit each other; arrays begin at multiples of what was said; the workspace is overwritten.
class DnnByDefinition final : public cuda::DnnFunctions {
   public:
    static constexpr int bad_parameter = 2000, not_supported = 3000, execution_failed = 5000;

    using Engines = std::map<cuda::DnnHeuristic, std::vector<DnnEngine>>;

    /// `asked`, if given, must outlive this. Without engines there is one, of mode A.
    explicit DnnByDefinition(AskedOfDnn* asked = nullptr, Engines engines = {}, std::size_t version = 91900)
        : asked_(asked != nullptr ? asked : &own_), engines_(std::move(engines)), version_(version) {
        if (engines_.empty()) {
            engines_[cuda::DnnHeuristic::a] = {{}};
        }
    }

    int create(cuda::DnnKind kind, void** descriptor) override;
    int destroy(void* descriptor) override;
    int set(void* descriptor, cuda::DnnAttribute name, cuda::DnnType type, std::int64_t count,
            const void* values) override;
    int finalize(void* descriptor) override;
    int get(void* descriptor, cuda::DnnAttribute name, cuda::DnnType type, std::int64_t wanted, std::int64_t* count,
            void* values) override;
    int execute(void* plan, void* variant_pack) override;

    void* handle() override { return this; }
    std::size_t version() override { return version_; }
    std::string error_text(int status) override { return "status " + std::to_string(status); }

   private:
    struct Value {
        cuda::DnnType type = cuda::DnnType::int64;
        std::int64_t count = 0;
        std::vector<std::byte> bytes;
    };
    struct Node {
        cuda::DnnKind kind = cuda::DnnKind::tensor;
        std::map<cuda::DnnAttribute, Value> values{};
        bool is_final = false;
        const DnnEngine* engine = nullptr;
        int engine_number = 0;
        void* graph = nullptr;  ///< of a configuration
    };

    Node* find(void* descriptor, cuda::DnnKind kind, bool is_final = true);
    bool is_complete(Node& node);
    bool fits(Node& operation);
    template <class T>
    static std::vector<T> all(const Node& node, cuda::DnnAttribute name);
    template <class T>
    static T one(const Node& node, cuda::DnnAttribute name) {
        return all<T>(node, name).at(0);
    }
    int results(Node& heuristic, std::int64_t wanted, std::int64_t* count, void* values);
    void convolve(Node& operation, const std::map<std::int64_t, void*>& arrays);

    AskedOfDnn own_;
    AskedOfDnn* asked_;
    Engines engines_;
    std::size_t version_;
    std::map<void*, std::unique_ptr<Node>> nodes_;
};

}  // namespace plumecast::testing
