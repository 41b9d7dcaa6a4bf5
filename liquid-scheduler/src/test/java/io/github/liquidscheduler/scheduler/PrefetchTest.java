package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetchTest {
  private static final NodeId NODE = NodeId.of("n0");

  /** Ten seconds over the path. */
  private static final Dataset CLICKS = new Dataset("clicks", Memory.ofBytes(10_000_000_000L));

  private static final Dataset FILMS = new Dataset("films", Memory.ofBytes(10_000_000_000L));

  /** Any waste, so that what was seen before does not matter. */
  private static final Prefetching RULES =
      Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).mostWasted(1).build();

  private static final Prefetching FRUGAL =
      Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).mostWasted(.1).build();

  private static Node.Builder node(String name) {
    return Node.builder(name).gpus(2, GpuModel.of("K80"), Memory.ofGib(11)).disk(Memory.ofGib(25));
  }

  private static Session session(Prefetching rules, Node.Builder... nodes) {
    return session(Policies.fifo(), rules, nodes);
  }

  private static Session session(
      SchedulingPolicy policy, Prefetching rules, Node.Builder... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (Node.Builder node : nodes) {
      cluster.node(node.build());
    }
    return new Session(
        LiquidScheduler.builder(cluster.build()).policy(policy).prefetch(rules).build());
  }

  /** Gives jobs exact durations, so that the future is certain. */
  private static Session certain(Session session) {
    for (int job = 0; job < 16; job++) {
      session.at(job).on(submitted(Session.aJobOf("past-" + job, 2, 1).build(), job));
      session.at(job + 1).on(new ClusterEvent.JobFinished(at(job + 1), JobId.of("past-" + job)));
    }
    return session.at(100);
  }

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static ClusterEvent submitted(JobSpec job, long at) {
    return new ClusterEvent.JobSubmitted(at(at), job);
  }

  /** From second 100 a job runs for ten minutes, and one behind it reads. */
  private static Session readerAfterTenMinutes(Session session) {
    certain(session).on(submitted(Session.aJobOf("first", 2, 600).build(), 100));
    session.on(submitted(Session.aJobOf("reader", 2, 600).dataset(CLICKS).build(), 100));
    return session;
  }

  private static List<Decision> passed(Session session, double second) {
    return session.scheduler.on(
        new ClusterEvent.TimePassed(Instant.EPOCH.plusMillis((long) (1000 * second))));
  }

  private static List<Decision> wokenUntil(Session session, long second) {
    List<Decision> decisions = List.of();
    while (decisions.isEmpty()
        && session.scheduler.nextWakeUp().filter(at(second)::isAfter).isPresent()) {
      Instant next = session.scheduler.nextWakeUp().orElseThrow();
      decisions = session.scheduler.on(new ClusterEvent.TimePassed(next));
    }
    return decisions;
  }

  @Test
  void whatIsCertainToBeReadIsBroughtAsSoonAsThePathIsIdle() {
    Session session = readerAfterTenMinutes(session(RULES, node("n0")));

    assertThat(passed(session, 101))
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.Prefetch.class,
            prefetch -> {
              assertThat(prefetch.job()).isEqualTo(JobId.of("reader"));
              assertThat(prefetch.node()).isEqualTo(NODE);
              assertThat(prefetch.dataset()).isEqualTo(CLICKS);
              assertThat(prefetch.evict()).isEmpty();
              assertThat(prefetch.neededAt()).isBetween(at(699), at(701));
              assertThat(((Reason.ExpectedRead) prefetch.why()).gainGpuSeconds())
                  .isEqualTo(2 * 10, within(1e-6));
            });
    assertThat(session.scheduler.view().holds(NODE, CLICKS)).isTrue();
  }

  private static Node.Builder host(String name, int gpus, int memory) {
    return Node.builder(name)
        .gpus(gpus, GpuModel.of("K80"), Memory.ofGib(32))
        .cpu(CpuCores.of(4))
        .memory(Memory.ofGib(memory));
  }

  private static ResourceRequest request(int gpus, int cores, int memory) {
    return ResourceRequest.builder()
        .gpus(gpus)
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(memory))
        .build();
  }

  private static JobSpec.Builder told(String id, long seconds) {
    return JobSpec.builder(id).expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
  }

  /** Where data are decides which others have to move, and so whether all of them find a place. */
  @Test
  void aJobForWhichDataAreBroughtIsTriedAgainWhereOthersMove() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(host("n0", 4, 64).build())
            .node(host("n1", 2, 64).build())
            .node(host("n2", 4, 32).disk(Memory.ofGib(25)).build())
            .build();
    Session session =
        new Session(
            LiquidScheduler.builder(cluster)
                .policy(Policies.shortestRemainingTimeFirst())
                .preemption(PreemptionRules.NONE.moving(3))
                .prefetch(RULES)
                .backfill(Backfill.reserving(2))
                .build());
    session
        .at(100)
        .submit(
            told("reader", 282)
                .excludeNodes(List.of("n1"))
                .role("w", 1, request(1, 1, 0))
                .dataset(CLICKS));
    session
        .at(101)
        .submit(told("filler", 5).excludeNodes(List.of("n1")).role("w", 1, request(0, 4, 32)));
    session
        .stepByStep()
        .submit(told("wide", 47).role("a", 2, request(1, 1, 32)).role("b", 2, request(2, 0, 8)));

    assertThat(session.at(131).pass()).containsExactly("prefetch clicks to n2");
    assertThat(session.scheduler.nextWakeUp()).contains(at(131));
    assertThat(session.pass()).contains("start reader");
  }

  @Test
  void whatMayAsWellBeReadElsewhereIsNotBrought() {
    Session session = session(FRUGAL, node("n0"), node("n1"));
    session.at(100).on(submitted(Session.aJobOf("first", 2, 600).build(), 100));
    session.on(submitted(Session.aJobOf("second", 2, 600).build(), 100));
    session.on(submitted(Session.aJobOf("reader", 2, 600).dataset(CLICKS).build(), 100));

    assertThat(wokenUntil(session, 600)).isEmpty();
  }

  /** A job of both GPUs waits for one of them, and a later arrival takes the other. */
  @Test
  void withBoundedWasteNoCopyIsBroughtEarlyToAnOpenPlace() {
    Session any = readerBesideAFreeGpu(RULES);
    Session bounded = readerBesideAFreeGpu(FRUGAL);

    assertThat(passed(any, 101)).singleElement().isInstanceOf(Decision.Prefetch.class);
    assertThat(passed(bounded, 101)).isEmpty();
    assertThat(wokenUntil(bounded, 700)).singleElement().isInstanceOf(Decision.Prefetch.class);
    assertThat(bounded.scheduler.state().jobs().now()).isBetween(at(673), at(676));
  }

  private static Session readerBesideAFreeGpu(Prefetching rules) {
    Session session = session(Policies.bestEffortFifo(), rules, node("n0"));
    certain(session).on(submitted(Session.aJobOf("first", 1, 600).build(), 100));
    session.on(submitted(Session.aJobOf("reader", 2, 600).dataset(CLICKS).build(), 100));
    return session;
  }

  @Test
  void withBoundedWasteAJobGetsNoSecondCopyWhileOneIsUnread() {
    assertThat(broughtWhenAnotherEndsFirst(RULES)).isNotEmpty();
    assertThat(broughtWhenAnotherEndsFirst(FRUGAL)).isEmpty();
  }

  /** The reader is expected on n0, has its data set there, and then n1 is free before. */
  private static List<Decision> broughtWhenAnotherEndsFirst(Prefetching rules) {
    Session session = session(rules, node("n0"), node("n1"));
    certain(session).on(submitted(Session.aJobOf("first", 2, 600).build(), 100));
    session.on(submitted(Session.aJobOf("second", 2, 900).build(), 100));
    session.on(submitted(Session.aJobOf("reader", 2, 600).dataset(CLICKS).build(), 100));
    NodeId first =
        session
            .scheduler
            .view()
            .placement(JobId.of("first"))
            .orElseThrow()
            .nodes()
            .iterator()
            .next();
    assertThat(passed(session, 101))
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.Prefetch.class, prefetch -> assertThat(prefetch.node()).isEqualTo(first));
    session.scheduler.on(new ClusterEvent.DataArrived(at(120), first, CLICKS));
    List<Decision> decisions =
        session.scheduler.on(
            new ClusterEvent.JobProgressed(
                at(130),
                JobId.of("second"),
                Progress.of(0, 1).withRemaining(Duration.ofSeconds(60))));
    return decisions.isEmpty() ? wokenUntil(session, 185) : decisions;
  }

  @Test
  void whatNobodyIsExpectedToReadAnyMoreIsCancelled() {
    Session session = readerAfterTenMinutes(session(RULES, node("n0")));
    passed(session, 101);

    List<Decision> decisions =
        session.scheduler.on(new ClusterEvent.JobCancelled(at(105), JobId.of("reader")));

    assertThat(decisions)
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.CancelPrefetch.class,
            cancel -> {
              assertThat(cancel.node()).isEqualTo(NODE);
              assertThat(cancel.dataset()).isEqualTo("clicks");
            });
  }

  @Test
  void whatIsThereIsNotBroughtAgain() {
    Session session = readerAfterTenMinutes(session(RULES, node("n0").dataset(CLICKS)));

    assertThat(passed(session, 101)).isEmpty();
    assertThat(wokenUntil(session, 690)).isEmpty();
  }

  @Test
  void whatFailedToArriveIsBroughtAgain() {
    Session session = readerAfterTenMinutes(session(RULES, node("n0")));
    passed(session, 101);
    List<Decision> decisions =
        session.scheduler.on(new ClusterEvent.PrefetchFailed(at(103), NODE, "clicks"));

    assertThat(decisions).singleElement().isInstanceOf(Decision.Prefetch.class);
  }

  @Test
  void theLeastRecentlyUsedCopyIsEvictedUnlessAJobReadsIt() {
    Session session = session(RULES, node("n0").dataset(FILMS).dataset(named("songs")));
    certain(session).on(submitted(Session.aJobOf("first", 2, 600).dataset(FILMS).build(), 100));
    session.on(submitted(Session.aJobOf("reader", 2, 600).dataset(CLICKS).build(), 100));

    assertThat(passed(session, 101))
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.Prefetch.class,
            prefetch -> assertThat(prefetch.evict()).containsExactly("songs"));
  }

  private static Dataset named(String name) {
    return new Dataset(name, FILMS.size());
  }

  @Test
  void aCopyThatDoesNotFitIsNotBrought() {
    Session session = readerAfterTenMinutes(session(RULES, node("n0").disk(Memory.ofGib(9))));

    assertThat(passed(session, 101)).isEmpty();
  }

  @Test
  void ofPlacesThatAreAsGoodAJobGetsOneThatHasItsData() {
    Session session = session(RULES, node("n0"), node("n1").dataset(CLICKS));

    session.at(0).on(submitted(Session.aJob("reader", 1).dataset(CLICKS).build(), 0));

    assertThat(session.scheduler.view().placement(JobId.of("reader")).orElseThrow().nodes())
        .containsExactly(NodeId.of("n1"));
  }

  @Test
  void aWorsePlaceIsTakenForTheDataIfThatIsAllowed() {
    Prefetching generous =
        Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).localityGpus(1).build();

    assertThat(nodeOfReaderBesideAnother(RULES)).isEqualTo(NODE);
    assertThat(nodeOfReaderBesideAnother(generous)).isEqualTo(NodeId.of("n1"));
  }

  /** On n0 one GPU is free, which fits best; n1 has the data set and two free GPUs. */
  private static NodeId nodeOfReaderBesideAnother(Prefetching rules) {
    Session session = session(rules, node("n0"), node("n1").dataset(CLICKS));
    session.at(0).on(submitted(Session.aJob("other", 1).build(), 0));
    session.at(0).on(submitted(Session.aJob("reader", 1).dataset(CLICKS).build(), 0));
    return session.scheduler.view().placement(JobId.of("reader")).orElseThrow().nodes().stream()
        .findFirst()
        .orElseThrow();
  }

  @Test
  void liquidsRulePreparesForTheFirstGpuThatIsFreeWithinALaunch() {
    Prefetching liquid = Prefetching.liquid(Bandwidth.ofGigabytesPerSecond(1), .5).build();
    Session session = session(liquid, node("n0"));
    session.at(100).on(submitted(Session.aJobOf("first", 2, 600).build(), 100));
    session.on(submitted(Session.aJobOf("pair", 2, 600).dataset(FILMS).build(), 100));
    session.on(submitted(Session.aJobOf("single", 1, 600).dataset(CLICKS).build(), 100));

    List<Decision> decisions = wokenUntil(session, 699);

    assertThat(decisions)
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.Prefetch.class,
            prefetch -> assertThat(prefetch.job()).isEqualTo(JobId.of("single")));
    assertThat(session.scheduler.state().jobs().now()).isBetween(at(675), at(677));
  }

  @Test
  void reportsOfDataSetsNeedASchedulerThatPrefetches() {
    Session session = Session.of(Policies.fifo(), 2);

    assertThatThrownBy(
            () -> session.scheduler.on(new ClusterEvent.DataArrived(at(0), NODE, CLICKS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a report of a data set needs a scheduler that prefetches, but this one does not, for"
                + " data set 'clicks'");
  }

  @Test
  void reportsOnCopiesThatAreGoneChangeNothing() {
    Session session = session(RULES, node("n0"));
    session.scheduler.on(new ClusterEvent.TimePassed(at(1)));
    SchedulerSnapshot before = session.scheduler.snapshot();

    session.scheduler.on(new ClusterEvent.PrefetchFailed(at(1), NODE, "clicks"));
    session.scheduler.on(new ClusterEvent.DataEvicted(at(1), NODE, "clicks"));

    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void aPlacerThatFailsInALookAheadLeavesTheEventUntaken() {
    Fuse fuse = new Fuse();
    ClusterTopology cluster = ClusterTopology.builder().node(node("n0").build()).build();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster)
            .policy(Policies.fifo())
            .placer(new Fuse.FusedPlacer(Placers.bestFit(), fuse))
            .prefetch(RULES)
            .build();
    scheduler.on(submitted(Session.aJobOf("first", 2, 600).build(), 100));
    scheduler.on(submitted(Session.aJobOf("reader", 2, 600).dataset(CLICKS).build(), 100));
    SchedulerSnapshot before = scheduler.snapshot();
    fuse.arm(1);

    assertThatThrownBy(() -> scheduler.on(new ClusterEvent.TimePassed(at(101))))
        .isInstanceOf(PluginFailedException.class);
    assertThat(scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void rulesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> Prefetching.over(Bandwidth.ZERO))
        .hasMessageStartingWith("the path from the storage must have a bandwidth");
    assertThatThrownBy(() -> Prefetching.over(Bandwidth.ofGigabitsPerSecond(1)).mostWasted(1.5))
        .hasMessage("the part that may be wasted must be in [0, 1], but was 1.5");
  }
}
