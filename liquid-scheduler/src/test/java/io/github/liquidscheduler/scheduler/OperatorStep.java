package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an operator does.
 *
 * @param id the number of the reservation
 * @param delay the seconds after which it begins
 * @param seconds how long it lasts
 * @param isRoom whether capacity is reserved, of which some jobs take part; else nodes are
 *     maintained
 * @param gpus chooses how much
 */
record OperatorStep(int pick, int id, int delay, int seconds, boolean isRoom, int gpus) {

  /** What happens to nodes, GPUs and jobs as a reservation begins or ends. */
  private static final List<ClusterStep.Kind> AS_ONE_BEGINS =
      List.of(
          ClusterStep.Kind.LOSE_NODE,
          ClusterStep.Kind.DRAIN,
          ClusterStep.Kind.RETURN,
          ClusterStep.Kind.LOSE_GPU,
          ClusterStep.Kind.RETURN_GPU,
          ClusterStep.Kind.ADD_NODE,
          ClusterStep.Kind.RETIRE_NODE,
          ClusterStep.Kind.RETIRE_NODE,
          ClusterStep.Kind.FINISH,
          ClusterStep.Kind.SUBMIT,
          ClusterStep.Kind.WAIT);

  /** Returns the step that follows from a number. */
  static OperatorStep of(int pick) {
    return new OperatorStep(
        1 + pick % 1023,
        pick % 3,
        List.of(0, 1, 50, 200, 1000).get(pick / 3 % 5),
        List.of(1, 100, 1000).get(pick / 15 % 3),
        pick / 45 % 2 == 0,
        pick % 8);
  }

  /** Returns what the operator announces, changes or cancels, if anything. */
  Optional<ClusterEvent> event(Scheduler scheduler, Instant now) {
    ReservationId name = ReservationId.of("r" + id);
    boolean isKnown =
        scheduler.advanceReservations().stream()
            .map(ReservationStatus::reservation)
            .anyMatch(each -> each.id().equals(name) && each.until().isAfter(now));
    boolean isStale =
        !isKnown
            && scheduler.advanceReservations().stream()
                .anyMatch(each -> each.reservation().id().equals(name));
    if (isStale) {
      return Optional.empty();
    }
    if (isKnown && pick % 2 == 0) {
      return Optional.of(new ClusterEvent.ReservationCancelled(now, name));
    }
    Optional<AdvanceReservation> wanted = wanted(scheduler, now);
    return isKnown
        ? wanted.map(each -> new ClusterEvent.ReservationChanged(now, each))
        : wanted.map(each -> new ClusterEvent.ReservationAnnounced(now, each));
  }

  /** Returns a step that changes nodes or ends jobs at an instant at which something changes. */
  ClusterStep asOneBeginsOrEnds(ClusterStep step, Scheduler scheduler, Instant now) {
    List<Long> seconds =
        scheduler.advanceReservations().stream()
            .flatMap(each -> Stream.of(each.reservation().from(), each.reservation().until()))
            .filter(at -> !at.isBefore(now))
            .map(at -> Duration.between(now, at).toSeconds())
            .filter(away -> away < 2000)
            .toList();
    return seconds.isEmpty() || pick % 4 == 0
        ? step
        : new ClusterStep(
            AS_ONE_BEGINS.get(step.pick() % AS_ONE_BEGINS.size()),
            step.pick(),
            Math.toIntExact(seconds.get(pick % seconds.size())),
            step.job());
  }

  private Optional<AdvanceReservation> wanted(Scheduler scheduler, Instant now) {
    ReservationId name = ReservationId.of("r" + id);
    Instant from = GpuTime.after(now, Duration.ofSeconds(delay)).orElse(GpuTime.LATEST);
    Instant until = from.plusSeconds(seconds);
    List<Node> nodes = scheduler.view().topology().nodes();
    if (!isRoom) {
      List<NodeId> some = new ArrayList<>();
      for (int n = 0; n < nodes.size(); n++) {
        if ((pick >> n & 1) == 1) {
          some.add(nodes.get(n).id());
        }
      }
      return some.isEmpty()
          ? Optional.empty()
          : Optional.of(new AdvanceReservation.Maintenance(name, from, until, some));
    }
    int most = nodes.stream().mapToInt(node -> node.gpus().size()).max().orElse(0);
    return most < 1
        ? Optional.empty()
        : Optional.of(
            new AdvanceReservation.Capacity(
                name,
                from,
                until,
                JobSpec.builder("shape").gpus(1 + gpus % most).build(),
                List.of(JobId.of("j" + pick % 40)),
                pick % 3 == 0 ? Optional.of(QueueName.of("research")) : Optional.empty()));
  }
}
