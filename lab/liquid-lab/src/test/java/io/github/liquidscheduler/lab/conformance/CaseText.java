package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.PeerCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Cases written in a test. */
final class CaseText {

  private CaseText() {}

  /** Returns the one case that {@code json} states, graded. */
  static GradedCase run(Path folder, String json) throws IOException {
    return report(folder, json).cases().get(0);
  }

  /** Returns the report on the cases that {@code json} states, separated by commas. */
  static ConformanceReport report(Path folder, String json) throws IOException {
    return Conformance.run(PeerCases.read(file(folder, "[" + json + "]")));
  }

  static Path file(Path folder, String text) throws IOException {
    return Files.writeString(folder.resolve("cases.json"), text);
  }
}
