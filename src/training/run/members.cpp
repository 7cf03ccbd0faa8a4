#include "training/run/members.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/inference/bundle.hpp>

#include "io/text_file.hpp"
#include "training/run_records.hpp"

namespace plumecast {
namespace {

/// What the first member records, with what each of them came to.
Json record_of(const Recipe& whole, const std::vector<Bundle>& members) {
    Json record = members.front().training;
    record["recipe"] = without_folders(whole).to_json();
    Json::Array results;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Json* result = members[k].training.find("result");
        results.push_back(Json::Object{{"seed", static_cast<std::int64_t>(whole.seed + k)},
                                       {"result", result == nullptr ? Json() : *result}});
    }
    std::erase_if(*record.get_if<Json::Object>(), [](const auto& entry) { return entry.first == "result"; });
    record["members"] = std::move(results);
    return record;
}

void write_joined(const Recipe& whole, Backend& backend) {
    std::vector<Bundle> members;
    for (const Recipe& one : member_recipes(whole)) {
        members.push_back(Bundle::load(one.output + "/best", backend));
    }
    NetworkDescription description = members.front().networks.front().network->description();
    description.network.members = whole.members;
    const FieldNetwork joined(backend, description, std::nullopt);
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Parameters& own = members[k].networks.front().network->parameters();
        for (const Parameter& parameter : own.all()) {
            joined.parameters().assign(member_prefix(static_cast<std::int64_t>(k)) + parameter.name,
                                       own.download(parameter).view());
        }
    }
    const std::string first = member_recipes(whole).front().output;
    const std::string card = fmt::format(
        "The mean of {} networks of seeds {} to {}, each trained by itself. Of the first:\n\n{}", whole.members,
        whole.seed, whole.seed + static_cast<std::uint64_t>(whole.members) - 1, read_text(first + "/best/README.md"));
    write_bundle(whole.output + "/best", {fmt::format("{}, {} members", members.front().title, whole.members),
                                          {{stem_of(description.fields), &joined}},
                                          record_of(whole, members),
                                          card});
}

}  // namespace

std::vector<Recipe> member_recipes(const Recipe& whole) {
    std::vector<Recipe> members;
    for (std::int64_t k = 0; k < whole.members; ++k) {
        Recipe one = whole;
        one.members = 1;
        one.seed = whole.seed + static_cast<std::uint64_t>(k);
        one.output = fmt::format("{}/members/{}", whole.output, k);
        members.push_back(std::move(one));
    }
    return members;
}

void join_members(const Recipe& whole, Backend& backend, const ProcessGrid* grid) {
    if (grid == nullptr || grid->world().rank() == 0) {
        write_joined(whole, backend);
    }
    if (grid != nullptr) {
        grid->world().barrier();
    }
}

}  // namespace plumecast
