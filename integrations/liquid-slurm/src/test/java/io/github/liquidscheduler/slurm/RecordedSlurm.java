package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.slurm.process.CommandRunner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Answers as a Slurm of a version did, and takes note of what was asked. */
final class RecordedSlurm implements CommandRunner {
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  RecordedSlurm(String version) {
    answers.put("squeue -h", done(text(version, "squeue.txt")));
    answers.put("squeue -a", done(text(version, "squeue.json")));
    answers.put("sinfo --json", done(text(version, "nodes.json")));
    answers.put(
        "scontrol show nodes",
        version.equals("22.05")
            ? new Answer(1, "", "scontrol: unrecognized option '--json'")
            : done(text(version, "nodes.json")));
    answers.put("scontrol show topology", done(text(version, "topology.txt")));
    answers.put("scontrol show reservation", done("No reservations in the system\n"));
    answers.put("scontrol show licenses", done(text(version, "licenses.txt")));
    answers.put("scontrol show config", done(text(version, "config.txt")));
  }

  private static Answer done(String output) {
    return new Answer(0, output, "");
  }

  static String text(String version, String name) {
    try (InputStream file = RecordedSlurm.class.getResourceAsStream(version + "/" + name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Answers a command that begins with these words in this way from now on. */
  RecordedSlurm with(String words, Answer answer) {
    answers.put(words, answer);
    return this;
  }

  RecordedSlurm with(String words, String output) {
    return with(words, done(output));
  }

  List<String> asked() {
    return asked;
  }

  @Override
  public Answer run(List<String> command, String input) throws IOException {
    String words = String.join(" ", command);
    asked.add(words);
    return answers.entrySet().stream()
        .filter(answer -> words.startsWith(answer.getKey()))
        .max(Comparator.comparing(answer -> answer.getKey().length()))
        .orElseThrow(() -> new AssertionError("nobody answers " + words))
        .getValue();
  }
}
