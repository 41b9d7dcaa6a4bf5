package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import java.util.Comparator;
import java.util.List;

/** What waits for its turn: a cycle of Kueue tries the first job of each queue alone. */
final class FirstOfQueues {

  private static final Comparator<Facts> FIRST =
      Comparator.<Facts>comparingDouble(job -> -job.number("priority", 0))
          .thenComparingDouble(job -> job.number("createdAt", 0));

  private FirstOfQueues() {}

  /** Returns whether all comes out as expected, but that jobs start which wait for their turn. */
  static boolean decide(PeerCase peerCase, Facts expected, Facts result) {
    Facts wanted = expected.object("jobs");
    Facts got = result.object("jobs");
    List<Facts> pending =
        peerCase.facts().objects("jobs").stream()
            .filter(job -> job.ifText("state").orElse("").equals("pending"))
            .toList();
    return !wanted.names().isEmpty()
        && wanted.names().stream()
            .allMatch(
                job ->
                    outcome(wanted, job).equals(outcome(got, job))
                        || (outcome(got, job).equals("admitted")
                            && wanted.object(job).ifText("queueState").orElse("").equals("queued")
                            && waitsForItsTurn(pending, job)));
  }

  private static String outcome(Facts jobs, String job) {
    return jobs.object(job).ifText("outcome").orElse("");
  }

  private static boolean waitsForItsTurn(List<Facts> pending, String name) {
    return pending.stream()
        .filter(job -> job.text("name").equals(name))
        .anyMatch(
            job ->
                pending.stream()
                    .filter(other -> other.text("queue").equals(job.text("queue")))
                    .anyMatch(other -> FIRST.compare(other, job) < 0));
  }
}
