package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.training.resource.GeneratedJobs;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceCommandsTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void whatIsTrainedCanBeJudgedAndUsed() throws IOException {
    String data = file("jobs.csv");
    ResourceCsv.write(Path.of(data), new GeneratedJobs(1).next(60));

    Command train = Command.run("train", "resources", "--data", data, "--out", file("m.onnx"));
    Command evaluate =
        Command.run("evaluate", "resources", "--model", file("m.onnx"), "--data", data);
    Command predict =
        Command.run(
            "predict", "resources", "--model", file("m.onnx"), "--data", data, "--out", file("p"));

    assertThat(train.status()).isZero();
    assertThat(evaluate.output()).contains("r2", "coverage", "underestimated", "gpu_memory_bytes");
    assertThat(predict.status()).isZero();
    assertThat(Files.readAllLines(folder.resolve("p"))).hasSize(61);
  }

  @Test
  void whatWasObservedIsLearnedBeforeTheFirstAnswerAndExplained() throws IOException {
    Files.writeString(folder.resolve("asked.csv"), "family,batch\nresnet50,64\n");
    Files.writeString(
        folder.resolve("seen.csv"),
        "family,batch,gpu_memory_bytes\nresnet50,16,3e9\nresnet50,32,5e9\n");

    Command predict =
        Command.run(
            "predict",
            "resources",
            "--data",
            file("asked.csv"),
            "--observed",
            file("seen.csv"),
            "--explain",
            "--out",
            file("p.csv"));

    assertThat(predict.status()).isZero();
    List<String> lines = Files.readAllLines(folder.resolve("p.csv"));
    assertThat(lines.getFirst()).endsWith("gpu_memory_parts");
    assertThat(lines.getLast()).contains("learned", "weights", "activations");
    double predicted = Double.parseDouble(lines.getLast().split(",", -1)[2]);
    assertThat(predicted).isCloseTo(9e9, withinPercentage(0.1));
  }

  @Test
  void halfOfTheFamiliesOfASourceCanBeHeldOut() throws IOException {
    String data = file("jobs.csv");
    ResourceCsv.write(Path.of(data), new GeneratedJobs(1).next(30));

    Command halves =
        Command.run("evaluate", "resources", "--data", data, "--held-out-half-of", "generated");
    Command nobody =
        Command.run("evaluate", "resources", "--data", data, "--held-out-half-of", "nobody");

    assertThat(halves.status()).isZero();
    assertThat(halves.output()).contains("gpu_memory_bytes                 120");
    assertThat(nobody.status()).isEqualTo(2);
    assertThat(nobody.errors()).contains("'nobody' measured 0");
  }

  @Test
  void aJobIsEstimatedWithIntervalsAndProvenance() throws IOException {
    Files.writeString(
        folder.resolve("job.json"),
        "{\"id\":\"j\",\"workload\":{\"family\":\"resnet50\",\"batchSize\":32},\"gpus\":1}");

    Command estimate = Command.run("estimate", "--job", file("job.json"), "--gpu", "V100");

    assertThat(estimate.status()).isZero();
    assertThat(estimate.output())
        .containsPattern("GPU memory +[0-9.]+ GiB +[0-9.]+ GiB to [0-9.]+ GiB +learned")
        .containsPattern("total time +unknown +- +default")
        .containsPattern("GPU memory to request +[0-9.]+ GiB")
        .doesNotContain("Infinity", "e+09", "not known");
  }

  @Test
  void aModelThatCannotFitIsSaidSoWithItsParts() throws IOException {
    Files.writeString(
        folder.resolve("job.json"),
        "{\"id\":\"j\",\"gpus\":1,\"workload\":{\"family\":\"meta-llama/Llama-3.1-70B\","
            + "\"framework\":\"vllm\",\"precision\":\"bf16\",\"batchSize\":1}}");

    Command estimate =
        Command.run("estimate", "--job", file("job.json"), "--gpu", "NVIDIA H100 80GB HBM3");

    assertThat(estimate.output())
        .containsPattern("GPU memory +1[0-9]{2}[.0-9]* GiB +[0-9.]+ GiB to [0-9.]+ GiB")
        .containsPattern("weights +131.4 GiB")
        .containsPattern("It cannot fit: a H100 has 80 GiB, and at least [0-9.]+ GiB are needed");
  }

  @Test
  void aGpuModelThatNobodyKnowsIsNamed() throws IOException {
    Files.writeString(folder.resolve("job.json"), "{\"id\":\"j\",\"gpus\":1}");

    assertThat(Command.run("estimate", "--job", file("job.json"), "--gpu", "Nonsense").output())
        .contains("GPU model Nonsense is not known: its memory and speed were not used.");
  }

  @Test
  void aBrokenModelAndABadCellAreBadInput() throws IOException {
    Files.writeString(folder.resolve("broken.onnx"), "not a model");
    Files.writeString(folder.resolve("bad.csv"), "family,batch\nbert,NaN\n");

    Command model =
        Command.run(
            "evaluate", "resources", "--model", file("broken.onnx"), "--data", file("bad.csv"));
    Command cell =
        Command.run("train", "resources", "--data", file("bad.csv"), "--out", file("m.onnx"));
    Command missing =
        Command.run("train", "resources", "--data", file("none.csv"), "--out", file("m.onnx"));

    assertThat(model.status()).isEqualTo(2);
    assertThat(cell.status()).isEqualTo(2);
    assertThat(cell.errors()).contains("line 2 column batch");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.errors()).contains("no such file");
  }

  @Test
  void whatCannotBeJudgedOrConvertedIsBadInput() throws IOException {
    Files.writeString(folder.resolve("none.csv"), "family,batch\nbert,3\n");
    Files.writeString(folder.resolve("constant.csv"), "family,gpu_utilization\nbert,1\nbert,1\n");

    Command nothing = Command.run("evaluate", "resources", "--data", file("none.csv"));
    Command constant = Command.run("evaluate", "resources", "--data", file("constant.csv"));
    Command noData =
        Command.run("convert", "resources", "--data", file("nowhere"), "--out", file("out.csv"));
    Command directory = Command.run("evaluate", "resources", "--data", folder.toString());

    assertThat(nothing.status()).isEqualTo(2);
    assertThat(nothing.errors()).contains("none has, in ", "none.csv");
    assertThat(constant.output()).containsPattern("gpu_utilization .* - ").doesNotContain("NaN");
    assertThat(noData.status()).isEqualTo(2);
    assertThat(noData.errors()).contains("salus, miso", "nowhere");
    assertThat(directory.errors())
        .contains(folder + ": a table must be a file, not a folder")
        .doesNotContain("Exception");
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }
}
