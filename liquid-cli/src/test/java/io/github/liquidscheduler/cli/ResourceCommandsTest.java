package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

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
  void whatIsTrainedCanBeUsed() throws IOException {
    String data = file("jobs.csv");
    ResourceCsv.write(Path.of(data), ResourceCsv.published().samples());

    Command train = Command.run("train", "resources", "--data", data, "--out", file("m.onnx"));
    Command predict =
        Command.run(
            "predict", "resources", "--model", file("m.onnx"), "--data", data, "--out", file("p"));

    assertThat(train.status()).isZero();
    assertThat(predict.status()).isZero();
    assertThat(Files.readAllLines(folder.resolve("p"))).hasSize(66);
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
        .containsPattern("GPU memory to request +80 GiB +whole device")
        .containsPattern("It cannot fit: a H100 has 80 GiB, and at least [0-9.]+ GiB are needed");
  }

  @Test
  void noMoreThanTheDeviceIsRequestedOfATaskThatMayNotFit() throws IOException {
    Files.writeString(
        folder.resolve("job.json"),
        "{\"id\":\"j\",\"gpus\":1,\"workload\":{\"family\":\"meta-llama/Meta-Llama-3-8B\","
            + "\"framework\":\"pytorch\",\"precision\":\"bf16\",\"batchSize\":4,"
            + "\"hyperparameters\":{\"lora_rank\":\"16\",\"sequence_length\":\"4096\"}}}");

    Command estimate = Command.run("estimate", "--job", file("job.json"), "--gpu", "A100-80GB");

    assertThat(estimate.output())
        .containsPattern("GPU memory to request +80 GiB +whole device")
        .containsPattern("It (may|does) not fit: a A100-80GB has 80 GiB, and ");
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
            "predict",
            "resources",
            "--model",
            file("broken.onnx"),
            "--data",
            file("bad.csv"),
            "--out",
            file("p.csv"));
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
  void whatCannotBeConvertedIsBadInput() throws IOException {
    Command noData =
        Command.run("convert", "resources", "--data", file("nowhere"), "--out", file("out.csv"));

    assertThat(noData.status()).isEqualTo(2);
    assertThat(noData.errors()).contains("salus, miso", "nowhere");
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }
}
