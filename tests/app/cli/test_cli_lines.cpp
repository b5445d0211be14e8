// SPDX-License-Identifier: GPL-3.0-or-later
// One line each: arguments, exit code, what is said on standard output and on standard error.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

class TestCliLines : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void line_data();
  void line() { checkLine(folder_.path()); }
  void aRefusedCommandLeavesNothingBehind();
  void noOutputReplacesWhatIsRead_data();
  void noOutputReplacesWhatIsRead();

 private:
  QTemporaryDir folder_;
};

void TestCliLines::initTestCase() {
  const QString path = folder_.path() + "/";
  QVERIFY(QDir().mkdir(path + "locked"));
  QVERIFY(QFile(path + "locked").setPermissions(QFile::ReadOwner | QFile::ExeOwner));
  const QString train = "train --preset rot13 --steps 3 --out m.safetensors";
  const Outcome trained = runCli(folder_.path(), train.split(' '));
  QVERIFY2(trained.code == 0, trained.err.constData());
  QFile model(path + "m.safetensors");
  const QByteArray content = model.open(QIODevice::ReadOnly) ? model.readAll() : QByteArray();
  writeText(path + "cut.safetensors", content.left(content.size() / 2));
  writeText(path + "bare", content);
  writeText(path + "notes.txt", "this is no document, and far from being one\n");
  writeText(path + "pairs.tsv", "one\tun\ntwo\tdeux\nthree\ttrois\nfour\tquatre\nfive\tcinq\n");
  writeText(path + "bad.tsv", "one\tun\tuno\n");
  writeText(path + "bytes.txt", "caf\xe9 with a byte that is not UTF-8");
  writeText(path + "short.txt", "");
  writeText(path + "plan.json", R"([{"kind": "heads", "size": 9},
    {"kind": "feed_forward", "size": 9, "layers": [0], "stacks": "encoder"}])");
  writeText(path + "badplan.json",
            R"([{"kind": "heads", "size": 9}, {"kind": "arms", "size": 9}])");
  writeText(path + "empty.json", "[]");
  writeText(path + "good.json", R"({"model": {"architecture": "decoder", "hidden": 8,
    "decoder_layers": 1, "heads": 2, "key_size": 4, "feed_forward": 8},
    "task": {"kind": "copy", "max_length": 5}, "train": {"stop_steps": 2}})");
  writeText(path + "names.json", R"({"model": "small-tagger", "task": "reverse"})");
  writeText(path + "field.json", R"({"model": {"hiden": 8}, "task": "copy"})");
  writeText(path + "train.json", R"({"model": "rot13", "train": {"lr": 1}})");
  writeText(path + "member.json", R"({"model": "rot13", "optimizer": "sgd"})");
  writeText(path + "broken.json", R"({"model": )");
  writeText(path + "value.json", R"({"model": {"norm": "batch"}, "task": "copy"})");
  writeText(path + "huge.json", R"({"model": {"hidden": 65536, "encoder_layers": 1000,
    "decoder_layers": 1000, "heads": 64, "key_size": 1024, "feed_forward": 262144},
    "task": "rot13"})");
}

void TestCliLines::line_data() {
  addLineColumns();
  const auto row = addLine;

  row("--help", 0, "train.*eval.*decode.*info.*probe.*export.*bench.*Exit codes", "^$");
  row("--version", 0,
      "^transformarium-cli [0-9.]+\ncommit +[0-9a-z]+\\+?\ncompiler .+\ninstruction set .+\n"
      "matrix products +OpenBLAS .+\n$",
      "^$");
  row("train --help", 0, "--loss-positions.*--learning-rate.*--warmup-steps", "^$");
  row("", 2, "^$", "there is no verb");
  row("info", 2, "^$", "hint:  See transformarium-cli info --help");

  row("train --preset rot13 --steps 2 --out a.safetensors", 0, "accuracy.*saved +a.safetens", "^$");
  row("train --task sentiment --steps 1 --out a2.safetensors", 0, "saved",
      "^note: .*--preset sentiment-classifier\n$");
  row("train --task addition --steps 1 --out a3.safetensors", 0, "saved", "small-sequence\n$");
  row("train --task text --steps 1 --out a4.safetensors", 0, "saved", "character-model\n$");
  row("train --config good.json --out b.safetensors --json", 0, "\"steps\":2,", "^$");
  row("train --task text --max-length 9 --steps 1 --out x.safetensors", 2, "^$",
      "the task text does not use it\nwhere: --max-length\n.*it is for rot13, copy");
  row("train --task facts --held-out 0.2 --steps 1 --out x.safetensors", 2, "^$",
      "the task facts does not use it\nwhere: --held-out");
  row("train --preset rot13 --momentum 0.9 --steps 1 --out x.safetensors", 2, "^$",
      "'--momentum' has no effect\n.*Only optimizer sgd");
  row("train --preset rot13 --lr 0.1 --warmup-steps 9 --steps 1 --out x.safetensors", 2, "^$",
      "'--warmup-steps' has no effect\n.*Choose schedule warmup_cosine");
  row("train --resume m.safetensors --schedule warmup_exponential --total-steps 9 --steps 1 "
      "--out x.safetensors",
      2, "^$", "'--total-steps' has no effect");
  row("train --preset rot13 --steps 1 --out short.st", 0, "saved +short.st", "^$");
  row("train --preset rot13 --steps 1 --out short.pt", 2, "^$", "Name it short.safetensors");
  row("train --config names.json --steps 1 --out c.safetensors", 0, "saved", "^$");
  row("train --resume m.safetensors --steps 2 --out d.safetensors --json", 0, "\"step\":5,", "^$");
  row("train --preset sequence --task pairs --data pairs.tsv --steps 1 --out e.safetensors", 0,
      "saved", "^$");
  row("train --preset rot13 --task reverse --max-length 6 --loss-positions first_pad --steps 1 "
      "--optimizer sgd --momentum 0.9 --schedule warmup_cosine --batch 7 --clip 0.5 "
      "--out f.safetensors",
      0, "saved", "^$");
  row("train --preset rot13 --steps 1 --log - --out g.safetensors", 0,
      "^\\{\"kind\":\"run\",[^\n]*\\}\n\\{\"kind\":\"step\",\"step\":1,[^\n]*\\}\n$",
      "saved +g.safetensors");
  row("train --preset rot13 --steps 40 --evaluate-every 10 --until-accuracy 1e-9 --until-loss 99 "
      "--out h.safetensors --json",
      0, "\"steps\":10,.*\"ending\":\"as_asked\",\"reason\":\"loss [0-9.]+ in evaluation", "^$");

  row("eval m.safetensors", 0, "loss.*accuracy.*200 evaluation examples", "^$");
  row("eval m.safetensors --examples 7 --json", 0, "\"examples\":7,", "^$");
  row("decode m.safetensors hey", 0, "^hey -> ", "^$");
  row("decode m.safetensors train eval --json", 0, "^\\{\"outputs\":\\[\".*\",\".*\"\\]\\}\n$",
      "^$");
  row("decode m.safetensors a --temperature 1 --top-k 3 --top-p 0.9 --max-tokens 2 --seed 5", 0,
      "^a -> .{0,2}\n$", "^$");
  row("decode m.safetensors hey --draft 1 --draft-tokens 2", 0,
      "^hey -> .*\n  .* of .* proposed tokens accepted; .* passes .* ms, without a draft .* ms\n$",
      "^$");
  row("decode m.safetensors hey --draft 5,5 --json", 0,
      "\"drafts\":\\[\\{\"proposed\":.*,\"same\":true\\}\\]", "^$");
  row("decode m.safetensors hey --beam 3", 0,
      "^hey -> .*\n(  -[0-9.e-]+ \\(log-probability -[0-9.e-]+\\)  .*\n){3}$", "^$");
  row("decode m.safetensors hey --beam 2 --length-penalty 0 --json", 0,
      "\"beams\":\\[\\[\\{\"output\":.*,\"log_probability\":-.*,\"score\":-.*,\"ended\":", "^$");
  row("eval e.safetensors --bleu --beam 2", 0,
      "^BLEU +[0-9.]+  nrefs:1.case:mixed.*1 held-out questions, beam 2, in .* s\n$", "^$");
  row("train --preset sequence --task pairs --data pairs.tsv --epochs 3 --batch 2 --json "
      "--out ep.safetensors",
      0, "\"steps\":6,", "^$");  // four of the five pairs, three times
  row("train --resume ep.safetensors --epochs 2 --json --out ep.safetensors", 0,
      "\"steps\":4,.*\"step\":10,", "^$");
  row("train --recipe annotated-transformer --steps 1 --out recipe.safetensors", 0, "step 1\n",
      "^$");
  row("info recipe.safetensors --json", 0, "\"kind\":\"rot13\".*\"optimizer\":\"sgd\"", "^$");
  row("train --recipe annotated-transformer-as-written --steps 0 --out recipe.safetensors", 0,
      "saved", "^note: this replaces .*recipe.safetensors, trained for 1 step\n$");
  row("info recipe.safetensors", 0, "warmup_exponential", "^$");
  row("train --recipe matformer-notebook-as-written --steps 0 --out x.safetensors", 2, "^$",
      "already runs as it is written.*--recipe");
  row("train --recipe rot13 --out x.safetensors", 2, "^$", "there is no source document 'rot13'");
  row("info recipe.safetensors --texts", 2, "^$", "--texts needs --json");
  row("train --preset rot13 --epochs 3 --out x.safetensors", 2, "^$",
      "generated.*--epochs.*--steps");
  row("train --preset rot13 --epochs 3 --steps 3 --out x.safetensors", 2, "^$",
      "not possible with");
  row("train --preset translator --data pairs.tsv --tokenizer bpe --steps 1 --out q.safetensors", 0,
      "saved", "^$");
  row("eval q.safetensors --bleu --json", 0,
      "\"bleu\":\\{\"score\":.*\"signature\":\"nrefs:1.*\"beams\":1,", "^$");
  row("info m.safetensors", 0, "step +3\n.*encoder_decoder.*4,665 parameters", "^$");
  row("info --preset annotated-encoder", 0, "47,670 parameters", "^$");
  row("info --config good.json", 0, "max_length +5\n", "^$");
  row("probe m.safetensors --input hey --select *.probabilities --out p.npz", 0,
      "cross_attention.probabilities  7 x [0-9]+ x 3\n.*saved p.npz", "^$");
  row("export m.safetensors --format npz --out w.npz", 0, "4,665 parameters", "^$");
  row("presets", 0, "annotated-rot13 or rot13 +4,665 parameters", "^$");
  row("tasks", 0, "addition.*pairs.*Needs --data", "^$");
  row("presets --json", 0, "\"name\":\"annotated-rot13\"", "^$");
  row("tasks --json", 0, "\"needs_file\":true", "^$");

  row("expand m.safetensors --set feed_forward=9 --out x1.safetensors", 0,
      "feed-forward width 5 \u2192 9.*4,665 -> 4,801.*\\(mean [0-9.e-]+\\) in double.*exact +yes.*"
      "answers +16 of 16 are the same.*100.0 % of .*saved +x1.safetensors",
      "^$");
  row("expand m.safetensors --set feed_forward=9,heads=9,value_size=8,key_size=8,hidden=16 --json "
      "--out x2.safetensors",
      0,
      "\"parameters_before\":4665,\"parameters_after\":16[0-9]+,\"max_abs_diff\":.*"
      "\"mean_abs_diff\":.*\"mean_abs_diff_double\":.*\"exact\":true,.*\"answers\":16,"
      "\"agreement\":1.0,\"same_positions\":1.0,\"steps\":\\[",
      "^$");
  row("expand m.safetensors --set key_size=8,head=1+3,attention=self,hidden=16,layers=2,"
      "stack=decoder,position=0 --json --out x2.safetensors",
      0,
      "\"key_size\",\"size\":8,\"attentions\":\"self\",\"heads_chosen\":\\[0,2\\],.*"
      "\"hidden\",\"size\":16,\"hidden_method\":\"duplicate\",.*"
      "\"layers\",\"size\":2,\"stacks\":\"decoder\",\"position\":0,",
      "^$");
  row("expand m.safetensors --plan plan.json --save-plan again.json --out x3.safetensors", 0,
      "heads 7 .* 9\n.*encoder, layer 1", "^$");
  row("expand m.safetensors --insert-layer 0 --stack decoder --out x4.safetensors --json", 0,
      "\"layer_method\":\"gate\".*\"exact\":true", "^$");
  row("expand m.safetensors --set decoder.layers=2 --method hand_over --out x5.safetensors", 2,
      "^$", "only up to eps\nwhere: --set: growing layers\nhint:  Use layer method");
  row("expand m.safetensors --set decoder.layers=2 --method hand_over --allow-inexact --json "
      "--out x5.safetensors",
      0, "\"exact\":false,.*up to eps", "^$");
  row("expand m.safetensors --set heads=9 --layers 1 --stack encoder --attention self --json "
      "--out x6.safetensors",
      0, "\"stacks\":\"encoder\",\"layers\":\\[0\\],\"attentions\":\"self\"", "^$");
  row("expand m.safetensors --set hidden=11 --allow-inexact --out x7.safetensors", 0,
      "not exact: LayerNorm subtracts.*exact +NO", "^$");
  row("expand m.safetensors --set key_size=9 --break no_key_rescale --out x8.safetensors", 0,
      "broken on purpose: keys are not rescaled.*exact +NO", "^$");
  row("expand --help", 0, "--plan.*--set.*--insert-layer.*max_abs_diff_double", "^$");
  row("train --preset rot13 --steps 6 --grow 2:feed_forward=9,heads=8 --grow 4:decoder.layers=2 "
      "--out y1.safetensors --json",
      0, "\"parameters\":8352,", "^$");
  row("train --preset rot13 --steps 4 --grow 2:hidden=16 --log - --out y2.safetensors", 0,
      "\"step\":1,.*\"step\":2,.*\"step\":3,.*\"step\":4,", "saved");

  row("study --preset rot13 --grow 2:feed_forward=9 --steps 4 --seeds 2 --out s.tsv", 0,
      "^grown +4,\\d+ parameters, loss .*from scratch +4,\\d+ parameters, loss .*2 seeds\nsaved "
      "+s.tsv",
      "^$");
  row("study --preset rot13 --grow 2:heads=8 --steps 4 --evaluate-every 2 --seeds 2 --json "
      "--out s2.tsv",
      0,
      "\"spread\":\\[\\{\"arm\":\"grown\",\"step\":2,\"runs\":2,.*\"arm\":\"from_scratch\","
      "\"step\":4",
      "^$");
  row("study --preset rot13 --grow 2:heads=8 --steps 4 --until-loss 1 --out s.tsv", 2, "^$",
      "--until-loss");
  row("train --preset rot13 --steps 4 --grow 9:heads=9 --grow 7:heads=8 --out later.safetensors", 0,
      "to come   growing after step 7, when", "^$");
  row("study --preset rot13 --steps 4 --out e.tsv", 2, "^$", "nothing is scheduled to grow");
  row("study --preset rot13 --grow 4:heads=8 --steps 4 --out e.tsv", 2, "^$", "step 4 of 4");
  row("study --preset rot13 --grow 1:heads=8 --steps 4 --out no/s.tsv", 1, "^$", "where: no/s.tsv");
  row("study --grow 1:heads=8 --steps 4 --out s.tsv", 2, "^$", "--preset");

  row("nesting-study --preset rot13 --batch 8 --widths 2 --steps 3 --seeds 2 --examples 9 "
      "--out n.tsv",
      0,
      "^S +nested +4,563 parameters.* agrees in .*\nS +separately .*M +separately .*2 seeds\n"
      "saved n.tsv",
      "^$");
  row("nesting-study --preset rot13 --batch 8 --steps 3 --seeds 1 --examples 9 --json --out n2.tsv",
      0, "\"spread\":\\[\\{\"name\":\"S\",\"trained\":\"nested\",.*\"agreement_mean\":1.0", "^$");
  row("nesting-study --preset rot13 --batch 8 --widths 2 --steps 3 --seeds 1 --examples 9 "
      "--out n3.tsv",
      0, "^S +nested [^+]*accuracy [0-9.]+ %, loss [0-9.]+, agrees [^+]*, 1 seed\n", "^$");
  row("study --preset rot13 --grow 2:feed_forward=9 --steps 4 --seeds 1 --out s3.tsv", 0,
      "^grown +4,\\d+ parameters, loss [0-9.]+, accuracy [0-9.]+ %, [^+]*, 1 seed\n", "^$");
  row("nesting-study --preset rot13 --out no/n.tsv", 1, "^$", "where: no/n.tsv");

  row("expand m.safetensors --out x.safetensors", 2, "^$", "--plan.*--set.*--insert-layer");
  row("expand m.safetensors --set heads=9", 2, "^$", "--out is required");
  row("expand m.safetensors --set heads=9 --plan plan.json --out x.safetensors", 2, "^$", "--plan");
  row("expand m.safetensors --plan plan.json --layers 1 --out x.safetensors", 2, "^$", "--layers");
  row("expand m.safetensors --set heads --out x.safetensors", 2, "^$", "has no '='.*heads=9");
  row("expand m.safetensors --set heads=many --out x.safetensors", 2, "^$", "heads is 'many'");
  row("expand m.safetensors --set arms=9 --out x.safetensors", 2, "^$",
      "arms.*feed_forward, heads");
  row("expand m.safetensors --set heads=3 --out x.safetensors", 2, "^$",
      "is already 7.*at least 8");
  row("expand m.safetensors --set heads=7 --out x.safetensors", 2, "^$", "at least 8");
  row("expand m.safetensors --set decoder.layers=3 --stack encoder --out x.safetensors", 2, "^$",
      "--stack is encoder, and stacks is \"decoder\" already");
  row("expand m.safetensors --set hidden=16 --layers 1 --out x.safetensors", 2, "^$",
      "'layers' has no effect\nwhere: --set: growing hidden\n");
  row("expand m.safetensors --set feed_forward=8 --attention cross --out x.safetensors", 2, "^$",
      "'attentions' has no effect\nwhere: --set: growing feed_forward");
  row("expand m.safetensors --set key_size=8 --method centre --out x.safetensors", 2, "^$",
      "key_size has no methods\nwhere: --method");
  row("expand m.safetensors --set hidden=16 --stack decoder --out x.safetensors", 2, "^$",
      "'stacks' has no effect\nwhere: --set: growing hidden\n");
  row("expand m.safetensors --set hidden=16 --unshare --out x.safetensors", 2, "^$", "unshare");
  row("expand m.safetensors --insert-layer 0 --layers 1 --stack decoder --out x.safetensors", 2,
      "^$", "'layers' has no effect\nwhere: --insert-layer: growing layers\n");
  row("expand m.safetensors --set head=0,heads=9 --out x.safetensors", 2, "^$",
      "'head=0' belongs to no expansion");
  row("expand m.safetensors --set heads=9,unshare=1 --out x.safetensors", 2, "^$",
      "'unshare=1' has a value");
  row("expand m.safetensors --set heads=9,layer= --out x.safetensors", 2, "^$", "layer is ''");
  row("expand m.safetensors --set heads=9,head=1 --out x.safetensors", 2, "^$",
      "'head' has no effect\nwhere: --set: growing heads\nhint:  Only key and value size");
  row("expand m.safetensors --set heads=9 --layers one --out x.safetensors", 2, "^$",
      "--layers is 'one'");
  row("expand m.safetensors --set heads=9 --layers 3 --out x.safetensors", 2, "^$", "no layer 3");
  row("expand m.safetensors --set layers=2 --out x.safetensors", 2, "^$", "encoder or decoder");
  row("expand m.safetensors --set hidden=11 --out x.safetensors", 2, "^$",
      "LayerNorm subtracts.*hidden size 16 by copies");
  row("expand m.safetensors --set heads=9 --break no_key_rescale --out x.safetensors", 2, "^$",
      "no rule to break with no_key_rescale");
  row("expand m.safetensors --set heads=9 --break all --out x.safetensors", 2, "^$", "no_key_resc");
  row("expand m.safetensors --set hidden=16 --method half --out x.safetensors", 2, "^$",
      "duplicate");
  row("expand m.safetensors --plan no.json --out x.safetensors", 1, "^$", "where: no.json");
  row("expand m.safetensors --plan badplan.json --out x.safetensors", 1, "^$",
      "arms.*where: badplan.json, expansion 1");
  row("expand m.safetensors --plan empty.json --out x.safetensors", 1, "^$", "plan is empty");
  row("expand m.safetensors --plan broken.json --out x.safetensors", 1, "^$", "where: broken.json");
  row("expand cut.safetensors --set heads=9 --out x.safetensors", 1, "^$", "cut.safetensors");
  row("expand m.safetensors --set heads=9 --save-plan no/p.json --out plan.safetensors", 1, "^$",
      "where: no/p.json");
  row("info plan.safetensors", 1, "^$", "plan.safetensors");  // nothing was written
  row("expand m.safetensors --set heads=9 --out no/x.safetensors", 1, "^$", "where: no/x");
  row("train --preset rot13 --steps 4 --grow heads=9 --out x.safetensors", 2, "^$", "has no step");
  row("train --preset rot13 --steps 4 --grow 2:heads --out x.safetensors", 2, "^$", "no '='");
  row("train --preset rot13 --steps 4 --grow 2:heads=3 --out x.safetensors", 2, "^$",
      "is already 7");
  row("train --preset rot13 --steps 4 --grow x:heads=9 --out x.safetensors", 2, "^$",
      "--grow is 'x'");
  row("train --resume m.safetensors --steps 4 --grow 2:heads=9 --out x.safetensors", 2, "^$",
      "step 2 of --grow has passed");

  row("train --preset rot13", 2, "^$", "--out is required");
  row("train --out x.safetensors", 2, "^$", "--preset.*--config.*--resume");
  row("train --preset rot13 --config good.json --out x.safetensors", 2, "^$", "--preset");
  row("train --task rot14 --out x.safetensors", 2, "^$", "\"rot14\".*copy, reverse");
  row("train --preset rot14 --out x.safetensors", 2, "^$", "'rot14'.*annotated-rot13, .*decoder");
  row("train --preset rot13 --task rot14 --out x.safetensors", 2, "^$", "\"rot14\".*copy, reverse");
  row("train --preset rot13 --task text --out x.safetensors", 2, "^$", "cannot learn.*'text'");
  row("train --preset rot13 --task regression --out x.safetensors", 2, "^$",
      "cannot learn.*'regression'");
  row("train --preset annotated-encoder --out x.safetensors", 2, "^$", "--task.*tasks lists");
  row("decode m.safetensors hey --beam 0", 2, "^$", "--beam");
  row("decode m.safetensors hey --beam 2 --temperature 1", 2, "^$",
      "--beam.*--temperature|--temp.*--beam");
  row("decode m.safetensors hey --length-penalty 1", 2, "^$", "only possible with --beam");
  row("eval m.safetensors --bleu", 1, "^$", "no held-out texts and translations");
  row("eval m.safetensors --beam 2", 2, "^$", "only possible with --bleu");
  row("train --preset sequence --task pairs --data pairs.tsv --tokenizer word --out x.safetensors",
      2, "^$", "where: --tokenizer");
  row("train --preset sequence --task pairs --out x.safetensors", 2, "^$", "needs a file");
  row("train --preset sequence --task pairs --data no.tsv --out x.safetensors", 1, "^$", "no.tsv");
  row("train --preset sequence --task pairs --data bad.tsv --out x.safetensors", 1, "^$",
      "bad.tsv.*");
  row("train --preset characters --data bytes.txt --out x.safetensors", 1, "^$", "UTF-8");
  row("train --preset characters --data short.txt --out x.safetensors", 1, "^$", "short.txt");
  row("train --preset rot13 --lr ten --out x.safetensors", 2, "^$", "--learning-rate");
  row("train --preset rot13 --lr -1 --out x.safetensors", 2, "^$",
      "--learning-rate is \"-1\".*Allowed");
  row("train --preset rot13 --lr nan --out x.safetensors", 2, "^$", "--learning-rate is \"nan\"");
  row("train --preset rot13 --optimizer adm --out x.safetensors", 2, "^$", "adm.*sgd, adam, adamw");
  row("train --preset rot13 --max-length 1 --out x.safetensors", 2, "^$", "max_length is 1");
  row("train --preset rot13 --steps -1 --out x.safetensors", 2, "^$", "--steps");
  row("train --preset rot13 --threads 0 --out x.safetensors", 2, "^$", "--threads");
  row("train --preset rot13 --device abacus --out x.safetensors", 2, "^$",
      "'abacus'.*where: --device.*Choose one of cpu");
  row("train --preset rot13 --until-accuracy 1 --evaluate-every 0 --out x.safetensors", 2, "^$",
      "evaluate_every is 0");
  row("train --preset rot13 --log - --json --out x.safetensors", 2,
      "^\\{\"error\":", "standard output");
  row("train --preset rot13 --log no/log --out x.safetensors", 1, "^$", "where: no/log");
  row("train --preset rot13 --out no/x.safetensors", 1, "^$", "where: no/x.*hint:  .*folder");
  row("train --preset rot13 --out locked/x.safetensors", 1, "^$",
      "Permission denied.*where: locked/x.*hint: .*folder you may write to");
  row("train --preset rot13 --out .", 1, "^$", "error: .*\nwhere: ");
  row("train --resume m.safetensors --out x.safetensors", 1, "^$",
      "already reached its last step, 3.*where: m.safetensors.*--steps");
  row("train --resume m.safetensors --steps 1 --seed 2 --out x2.safetensors", 2, "^$", "seed");
  row("train --resume m.safetensors --steps 1 --task copy --out x2.safetensors", 2, "^$", "task");
  row("train --config no.json --out x.safetensors", 1, "^$", "where: no.json");
  row("train --config field.json --out x.safetensors", 1, "^$",
      "'hiden'\nwhere: field.json: model");
  row("train --config train.json --out x.safetensors", 1, "^$", "'lr'\nwhere: train.json: train");
  row("train --config member.json --out x.safetensors", 1, "^$", "'optimizer'.*member.json");
  row("train --config broken.json --out x.safetensors", 1, "^$", "where: broken.json");
  row("train --config value.json --out x.safetensors", 1, "^$", "batch.*layer_norm, rms_norm");
  row("train --config huge.json --out x.safetensors", 1, "^$", "needs about .* are free.*hint: ");

  row("info no.safetensors", 1, "^$", "No such file.*where: no.safetensors");
  row("info cut.safetensors", 1, "^$", "where: cut.safetensors");
  row("info notes.txt", 1, "^$",
      "this is text, not a model.*where: notes.txt.*train a new model on");
  row("info .", 1, "^$", "error: .*\nwhere: ");
  row("info --preset rot14", 2, "^$", "'rot14'");
  row("info m.safetensors --preset rot13", 2, "^$", "error: ");
  row("eval cut.safetensors", 1, "^$", "where: cut.safetensors");
  row("eval m.safetensors --examples 0", 2, "^$", "--examples");
  row("decode m.safetensors", 2, "^$", "TEXT is required");
  row("decode m.safetensors h3y", 2, "^$", "'3'.*a-z");
  row("decode m.safetensors waytoolongforthismodel", 2, "^$", "error: ");
  row("decode m.safetensors a --draft 99", 2, "^$", "width 99");
  row("decode m.safetensors a --draft 1 --temperature 1", 2, "^$", "--temperature");
  row("decode m.safetensors a --draft-tokens 2", 2, "^$", "--draft");
  row("decode m.safetensors a --seed -1", 2, "^$", "--seed");
  row("decode m.safetensors a --top-p 2", 2, "^$", "--top-p");
  row("probe m.safetensors --input hey --select nothing* --out p.npz", 2, "^$",
      "'nothing\\*'.*encoder.embedding, ");
  row("probe m.safetensors --input hey --select * --out no/p.npz", 1, "^$", "where: no/p.npz");
  row("export m.safetensors --format onyx --out w.npz", 2, "^$", "'onyx'.*npz");
  row("export cut.safetensors --format npz --out w.npz", 1, "^$", "where: cut.safetensors");
  row("bench --steps 0", 2, "^$", "--steps");
}

void TestCliLines::aRefusedCommandLeavesNothingBehind() {
  QTemporaryDir folder;
  QCOMPARE(runCli(folder.path(), {"train", "--preset", "rot14", "--out", "x"}).code, 2);
  QCOMPARE(runCli(folder.path(), {"train", "--preset", "rot13", "--lr", "-1", "--out", "x"}).code,
           2);
  QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
           QStringList());
}

void TestCliLines::noOutputReplacesWhatIsRead_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<QString>("file");
  const auto row = [](const char* arguments, const char* file) {
    QTest::newRow(arguments) << arguments << file;
  };
  row("export m.safetensors --format npz --out m.safetensors", "m.safetensors");
  row("export m.safetensors --format npz --out ./link", "m.safetensors");
  row("export m.safetensors --format npz --out bare", "bare");  // a model without an ending
  row("probe m.safetensors --input hey --select * --out m.safetensors", "m.safetensors");
  row("expand m.safetensors --plan plan.json --out plan.json", "plan.json");
  row("expand m.safetensors --set heads=9 --out o --save-plan m.safetensors", "m.safetensors");
  row("expand m.safetensors --set heads=9 --out o --save-plan ../%1/o", "");
  row("train --resume m.safetensors --steps 1 --log m.safetensors --out o", "m.safetensors");
  row("train --preset rot13 --steps 1 --log ../%1/o --out o", "");
  row("train --config good.json --out good.json", "good.json");
  row("train --task pairs --data pairs.tsv --steps 1 --out pairs.tsv", "pairs.tsv");
  row("study --config good.json --grow 1:heads=8 --steps 4 --out good.json", "good.json");
  row("study --arm a=rot13 --arm b=m.safetensors --steps 4 --out m.safetensors", "m.safetensors");
}

void TestCliLines::noOutputReplacesWhatIsRead() {
  QFETCH(QString, arguments);
  QFETCH(QString, file);
  const QDir folder(folder_.path());
  QFile::link("m.safetensors", folder.filePath("link"));
  const auto content = [&] {
    QFile whole(folder.filePath(file));
    return !file.isEmpty() && whole.open(QIODevice::ReadOnly) ? whole.readAll() : QByteArray();
  };
  const QByteArray before = content();
  QCOMPARE(before.isEmpty(), file.isEmpty());
  const Outcome outcome =
      runCli(folder_.path(), arguments.replace("%1", folder.dirName()).split(' '));
  const QByteArray fault = faultOf(outcome, 2, "^$", "hint:  (Choose another --|Name it )");
  QVERIFY2(fault.isEmpty(), fault.constData());
  QCOMPARE(content(), before);
  QVERIFY(!folder.exists("o"));
}

TFM_TEST(TestCliLines)
#include "test_cli_lines.moc"
