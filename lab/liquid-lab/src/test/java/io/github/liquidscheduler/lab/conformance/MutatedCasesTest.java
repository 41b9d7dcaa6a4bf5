package io.github.liquidscheduler.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.lab.conformance.peer.PeerCases;
import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class MutatedCasesTest {

  private static final int MUTATIONS = 2000;
  private static final long SLOW = 20;

  /** Names the field by its path from the top of the case, in one line. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "refused: (cohorts|current|cycle|expect|failedNodes|flavors|groups|incoming|jobs|levels"
              + "|mode|nodes|otherTasks|part|poolLabels|queues|running|settings|strategies|topologies|total|usage|usageWeight|usedBefore|withRequest)[^"
              + " ]*: .+");

  /** Names the line in which the case is, where even that is not a case. */
  private static final Pattern REFUSED_FILE = Pattern.compile(".*cases\\.json:\\d+: .+");

  @TempDir Path folder;

  private static List<Map<String, Object>> all() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (String file : List.of("kai.json", "kueue.json")) {
      for (PeerCase each : PeerCases.read(SharedData.file("peer-cases/" + file)).cases()) {
        Map<String, Object> fields = new LinkedHashMap<>(each.facts().fields());
        fields.put("scope", "core");
        all.add(fields);
      }
    }
    return all;
  }

  /** Returns what is wrong with the outcome of a case; empty if it is a result or a refusal. */
  private String fault(Map<String, Object> stated) throws IOException {
    long start = System.nanoTime();
    try {
      GradedCase graded = CaseText.run(folder, JsonText.of(stated));
      boolean isPlain = graded.result().isPresent() || graded.verdict() == Verdict.SKIPPED;
      if (!isPlain && !REFUSAL.matcher(graded.reason()).matches()) {
        return "says '" + graded.reason() + "'";
      }
    } catch (IllegalArgumentException e) {
      return REFUSED_FILE.matcher(String.valueOf(e.getMessage())).matches() ? "" : trace(e);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      return trace(e);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    return seconds > SLOW ? "took " + seconds + " s" : "";
  }

  private static String trace(Throwable e) {
    StringBuilder text = new StringBuilder(e.toString());
    for (int i = 0; i < Math.min(12, e.getStackTrace().length); i++) {
      text.append("\n    ").append(e.getStackTrace()[i]);
    }
    if (e.getCause() != null) {
      text.append("\n  by ").append(trace(e.getCause()));
    }
    return text.toString();
  }

  @Test
  @Timeout(300)
  void everyCaseOfAnyScopeIsRunOrRefused() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Map<String, Object> each : all()) {
      String fault = fault(each);
      if (!fault.isEmpty()) {
        faults.add(each.get("id") + ": " + fault);
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  @Timeout(580)
  void spoiledCasesAreRunOrRefusedInALineThatNamesTheField() throws IOException {
    List<Map<String, Object>> all = all();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < MUTATIONS; i++) {
      Random random = new Random(i);
      Map<String, Object> spoiled = CaseMutation.of(all.get(random.nextInt(all.size())), random);
      String fault = fault(spoiled);
      if (!fault.isEmpty()) {
        faults.add("mutation " + i + ": " + fault + "\n" + JsonText.of(spoiled));
      }
    }
    assertThat(faults).isEmpty();
  }
}
