// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/data/task_table.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm::data;

std::vector<std::string> tfm::fuzz::seeds() {
  std::vector<std::string> texts{"{}"};
  for (const TaskRow& row : taskTable()) {
    TaskConfig config = defaultTaskConfig(row.name);
    if (row.form == TaskForm::Text) {
      config.context_length = 4;
      config.text = "to be, or not to be: that is the question\n";
    }
    if (row.file == TaskFile::Needed) config.text = "one\tun\ntwo\tdeux\nthree\ttrois\n";
    texts.push_back(toJson(config));
    if (row.name == "sentiment") {
      config.text = "1\ta good film\n0\ta bad film\n1\ta good plot\n0\ta bad plot\n";
      texts.push_back(toJson(config));
    }
  }
  return texts;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    TaskConfig config = taskConfigFromJson(tfm::fuzz::asText(data, size));
    tfm::check(taskConfigFromJson(toJson(config)) == config, "a task config survives a round trip");
    // A file of this machine is none of the target's business.
    for (std::string* path : {&config.path, &config.test_path, &config.vocabulary_path})
      path->clear();
    const auto task = makeTask(config);
    tfm::check(task->example(Split::Evaluation, 0, 0) == task->example(Split::Evaluation, 0, 0),
               "an example is a function of its number");
  });
}
