// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tfm::test {

/// A place in one of the files of tests/goldens (its README tells the format). Everything that is
/// asked for and is not there throws.
class Golden {
 public:
  /// The whole of tests/goldens/`name`.json.
  static Golden read(const std::string& name);

  bool has(const std::string& key) const;
  /// Nothing is there: null in the file.
  bool empty() const;
  Golden at(const std::string& key) const;
  Golden at(std::size_t index) const;
  std::size_t size() const;
  /// The keys of an object.
  std::vector<std::string> keys() const;

  double number() const;
  bool flag() const;
  std::string text() const;
  /// The values of a tensor or the numbers of a plain list.
  std::vector<double> numbers() const;
  /// The sizes of a tensor.
  std::vector<std::size_t> shape() const;

 private:
  struct Node;
  explicit Golden(std::shared_ptr<const Node> node);

  std::shared_ptr<const Node> node_;
};

}  // namespace tfm::test
