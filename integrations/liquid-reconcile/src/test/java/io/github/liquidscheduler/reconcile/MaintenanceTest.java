package io.github.liquidscheduler.reconcile;

import static io.github.liquidscheduler.reconcile.TwoWorlds.A;
import static io.github.liquidscheduler.reconcile.TwoWorlds.B;
import static io.github.liquidscheduler.reconcile.TwoWorlds.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduling.AdvanceReservation.Maintenance;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MaintenanceTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Maintenance LATER = maintenance(NOON.plus(HOUR), A);

  private final TwoWorlds worlds = new TwoWorlds(builder -> builder.backfill(Backfill.easy()));

  private static Maintenance maintenance(Instant from, NodeId... nodes) {
    return new Maintenance(
        ReservationId.of("weekend"), from, NOON.plus(HOUR.multipliedBy(3)), List.of(nodes));
  }

  /** Shows maintenance, tells what is found, and returns it. */
  private List<String> shows(Maintenance... maintenance) {
    worlds.maintenance.clear();
    worlds.maintenance.addAll(List.of(maintenance));
    List<ClusterEvent> events = worlds.compare().eventsAt(worlds.now);
    events.forEach(worlds::tell);
    return events.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  private Instant from() {
    return worlds.scheduler.advanceReservations().getFirst().reservation().from();
  }

  @Test
  void itIsAnnouncedOnce() {
    assertThat(shows(LATER)).containsExactly("ReservationAnnounced");
    assertThat(shows(LATER)).isEmpty();
    assertThat(from()).isEqualTo(LATER.from());
  }

  @Test
  void whatHasBegunBeginsNowAndIsNotChangedBySeeingItLater() {
    assertThat(shows(maintenance(NOON.minus(HOUR), A))).containsExactly("ReservationAnnounced");
    assertThat(from()).isEqualTo(NOON);
    worlds.now = NOON.plusSeconds(60);
    assertThat(shows(maintenance(NOON.minus(HOUR), A))).isEmpty();
  }

  @Test
  void otherNodesOrTimesChangeIt() {
    shows(LATER);
    assertThat(shows(maintenance(LATER.from(), A, B))).containsExactly("ReservationChanged");
    assertThat(shows(maintenance(NOON.plusSeconds(60), A, B)))
        .containsExactly("ReservationChanged");
    assertThat(shows(maintenance(NOON.minus(HOUR), A, B))).containsExactly("ReservationChanged");
    assertThat(from()).isEqualTo(NOON);
  }

  @Test
  void whatIsNotShownAnyMoreIsCancelled() {
    shows(LATER);
    assertThat(shows()).containsExactly("ReservationCancelled");
    assertThat(worlds.scheduler.advanceReservations()).isEmpty();
  }

  @Test
  void whatIsOverIsNotTold() {
    worlds.now = NOON.plus(HOUR.multipliedBy(3));
    assertThat(shows(LATER)).isEmpty();
  }

  @Test
  void aSchedulerWithoutATimelineIsNotTold() {
    TwoWorlds without = new TwoWorlds();
    without.maintenance.add(LATER);
    assertThat(without.looks()).isEmpty();
  }
}
