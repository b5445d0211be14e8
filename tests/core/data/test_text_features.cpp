// SPDX-License-Identifier: GPL-3.0-or-later
// Features of texts come from the cache where they are in it, and are the same where they are not.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/data/features/text_features.h"
#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;
namespace fs = std::filesystem;

namespace {

const fs::path kEncoder = TFM_TEST_DATA "/goldens/bert";

const std::vector<Ids> kSentences{
    {2, 8, 9, 3}, {2, 3}, {2, 10, 11, 12, 13, 3}, {2, 3}, {2, 9, 8, 3}};
constexpr std::int64_t kDifferentTokens = 4 + 2 + 6 + 4;

std::int64_t filesIn(const fs::path& folder) {
  std::int64_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++count;
  return count;
}

}  // namespace

class TestTextFeatures : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> home_;
  fs::path cache_;

 private slots:
  void init() {
    home_ = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CACHE_HOME", home_->path().toUtf8());
    cache_ = fs::path(home_->path().toStdString()) / "transformarium";
  }

  void computedOnceThenRead() {
    TextFeatures features(kEncoder);
    QCOMPARE(features.width(), 32);
    QCOMPARE(features.longest(), 64);
    const std::vector<float> computed = features.read(kSentences);
    QCOMPARE(computed.size(), std::size_t((kDifferentTokens + 2) * 32));

    std::int64_t last = 0;
    const auto first = features.prepare(kSentences, 2, [&](std::int64_t done, std::int64_t all) {
      const bool forward = done > last && all == kDifferentTokens;
      last = done;
      return forward;
    });
    QVERIFY(first.complete && first.computed);
    QCOMPARE(first.texts, 4);
    QCOMPARE(first.tokens, kDifferentTokens);
    QCOMPARE(last, kDifferentTokens);
    QCOMPARE(first.bytes, std::int64_t(fs::file_size(first.file)));
    QVERIFY(first.file.parent_path() == cache_);

    // Somebody else's object, the texts in another order.
    TextFeatures other(kEncoder);
    std::vector<Ids> turned(kSentences.rbegin(), kSentences.rend());
    const auto again = other.prepare(turned, 1);
    QVERIFY(again.complete && !again.computed);
    QVERIFY(again.file == first.file);
    const std::vector<float> read = other.read(kSentences);
    for (std::size_t i = 0; i < read.size(); ++i) QVERIFY(std::abs(read[i] - computed[i]) < 1e-5F);
  }

  /// What is read is the file's and not computed again: a changed file is seen, where no checksum
  /// tells of it.
  void theFileIsWhatIsRead() {
    TextFeatures features(kEncoder);
    const fs::path file = features.prepare(kSentences, 1).file;
    const std::vector<float> before = features.read(kSentences);
    std::string bytes = io::readFile(file, 1 << 20);
    bytes.replace(64, 4, std::string(4, '\0'));  // of the shortest text, {2, 3}
    bytes.resize(bytes.size() - 5 * 8);
    bytes[7] = '1';
    io::writeFile(file, bytes);
    TextFeatures reopened(kEncoder);
    reopened.expect(kSentences);
    const std::vector<float> after = reopened.read(kSentences);
    QVERIFY(after != before);
    QCOMPARE(after[4 * 32], 0.0F);
    // Without knowing which texts there are, nothing is looked for.
    QVERIFY(TextFeatures(kEncoder).read(kSentences) == TextFeatures(kEncoder).read(kSentences));
    QVERIFY(TextFeatures(kEncoder).read(kSentences)[4 * 32] != 0.0F);
  }

  void othersAreComputedBesideTheFile() {
    TextFeatures features(kEncoder);
    features.prepare(kSentences, 1);
    const std::vector<Ids> typed{kSentences[2], {2, 20, 21, 3}, kSentences[1]};
    const std::vector<float> read = features.read(typed);
    const std::vector<float> computed = TextFeatures(kEncoder).read(typed);
    for (std::size_t i = 0; i < read.size(); ++i) QVERIFY(std::abs(read[i] - computed[i]) < 1e-5F);
    TFM_VERIFY_ERROR(features.read(std::vector<Ids>{{2, 61}}), "token 61");
    TFM_VERIFY_ERROR(features.read(std::vector<Ids>{Ids(65, 2)}), "65 tokens");
  }

  void whateverChangesIsAnotherFile() {
    const QTemporaryDir temporary;
    const fs::path changed = fs::path(temporary.path().toStdString()) / "bert";
    fs::copy(kEncoder, changed);
    TextFeatures features(kEncoder);
    const fs::path file = features.prepare(kSentences, 1).file;
    std::vector<Ids> other = kSentences;
    other[2].pop_back();
    QVERIFY(features.prepare(other, 1).file != file);
    QVERIFY(TextFeatures(changed).prepare(kSentences, 1).file == file);
    QCOMPARE(filesIn(cache_), 2);
    std::string weights = io::readFile(changed / "model.safetensors", 1 << 20);
    weights[weights.size() - 2] ^= 1;
    io::writeFile(changed / "model.safetensors", weights);
    TextFeatures another(changed);
    QVERIFY(another.prepare(kSentences, 1).file != file);
    QCOMPARE(filesIn(cache_), 3);

    const std::string content = features.content();
    TFM_VERIFY_ERROR(TextFeatures(changed, content).content(), "not the encoder");
    QCOMPARE(TextFeatures(kEncoder, content).content(), content);
  }

  /// A Funnel without its decoder has fewer rows than tokens: they can be read, not trained on.
  void rowsOfAnEncoderThatPools() {
    const fs::path base = TFM_TEST_DATA "/goldens/funnel_base";
    TFM_VERIFY_ERROR(TextFeatures(base), "pools");
    const TextFeatures features(base, {}, true);
    const Ids text{2, 8, 9, 10, 11, 12, 13, 3};
    const std::int64_t rows = features.rowsOf(text);
    QVERIFY(rows >= 1 && rows < 8);
    const std::vector<float> one = features.read(std::vector<Ids>{text});
    QCOMPARE(std::ssize(one), std::ptrdiff_t(rows * features.width()));
    const std::vector<float> two = features.read(std::vector<Ids>{text, {2, 3}, text});
    QVERIFY(std::equal(one.begin(), one.end(), two.begin()));
    QVERIFY(std::equal(one.rbegin(), one.rend(), two.rbegin()));
  }

  void stoppedLeavesNothing() {
    TextFeatures features(kEncoder);
    const auto stopped =
        features.prepare(kSentences, 2, [](std::int64_t done, std::int64_t) { return done < 6; });
    QVERIFY(!stopped.complete && !stopped.computed);
    QCOMPARE(filesIn(cache_), 0);
    QVERIFY(features.prepare(kSentences, 2).computed);
  }

  void aDamagedFileIsMadeAgain() {
    TextFeatures features(kEncoder);
    const fs::path file = features.prepare(kSentences, 1).file;
    const std::string whole = io::readFile(file, 1 << 20);
    io::writeFile(file, whole.substr(0, 100));
    TextFeatures reopened(kEncoder);
    reopened.expect(kSentences);
    QVERIFY(reopened.read(kSentences) == TextFeatures(kEncoder).read(kSentences));
    QVERIFY(TextFeatures(kEncoder).prepare(kSentences, 3).computed);
    QVERIFY(io::readFile(file, 1 << 20) == whole);  // threads change no bit

    std::string flipped = whole;
    flipped[64 + 30] ^= 1;  // of the shortest text, which is the first
    io::writeFile(file, flipped);
    TextFeatures flipped_file(kEncoder);
    flipped_file.expect(kSentences);
    const std::vector<float> read = flipped_file.read(kSentences);
    const std::vector<float> computed = TextFeatures(kEncoder).read(kSentences);
    for (std::size_t i = 0; i < read.size(); ++i) QVERIFY(std::abs(read[i] - computed[i]) < 1e-5F);
    const auto again = TextFeatures(kEncoder).prepare(kSentences, 1);
    QVERIFY(again.complete && again.computed);
    QCOMPARE(again.damage, std::string("the features of text 1 differ from their checksum"));
    QVERIFY(io::readFile(file, 1 << 20) == whole);
    QVERIFY(TextFeatures(kEncoder).prepare(kSentences, 1).damage.empty());
  }

  /// A whole file of features, but of other texts than its name says.
  void aForeignFileIsMadeAgain() {
    TextFeatures features(kEncoder);
    const fs::path file = features.prepare(kSentences, 1).file;
    const std::string whole = io::readFile(file, 1 << 20);
    const fs::path other = features.prepare(std::vector<Ids>{{2, 8, 3}, {2, 9, 3}}, 1).file;
    fs::copy(other, file, fs::copy_options::overwrite_existing);
    QVERIFY(TextFeatures(kEncoder).prepare(kSentences, 1).computed);
    QVERIFY(io::readFile(file, 1 << 20) == whole);
  }

  void aCacheThatCannotBeWritten() {
    const std::vector<float> expected = TextFeatures(kEncoder).read(kSentences);
    qputenv("XDG_CACHE_HOME", "/proc/nowhere");
    TFM_VERIFY_ERROR(TextFeatures(kEncoder).prepare(kSentences, 1), "XDG_CACHE_HOME");
    TextFeatures features(kEncoder);
    features.expect(kSentences);
    QVERIFY(features.read(kSentences) == expected);  // nothing needs to be kept for this
  }
};

TFM_TEST(TestTextFeatures)
#include "test_text_features.moc"
