package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class QueuesTest {

  private final Session session = Session.of(Policies.bestEffortFifo(), 8);

  @Test
  void nothingStartsBeyondTheLimitOfItsQueue() {
    queues(session, limited("a", 0, 4), QueueSpec.named("b"));

    assertThat(submit("a", "a1", 3)).containsExactly("start a1");
    assertThat(submit("a", "a2", 2)).isEmpty();
    assertThat(submit("a", "a3", 1)).containsExactly("start a3");
    assertThat(submit("b", "b1", 4)).containsExactly("start b1");
    assertThat(session.explain("a2").unmetConstraints().getFirst().describe())
        .isEqualTo("QUEUE_GPUS (limit of GPUs of queue 'a'): requested 2 GPUs, available 0 GPUs");
  }

  @Test
  void requestsBeyondTheLargestNumberCountAsTheLargest() {
    Session vast =
        onCores(
            Node.builder("n")
                .gpus(8, GpuModel.of("V100"), Memory.ofGib(16))
                .memory(Memory.ofBytes(Long.MAX_VALUE))
                .build());
    queues(vast, QueueSpec.named("a").with(QuotaResource.MEMORY, QueueQuota.guaranteed(1)));
    ResourceRequest half = ResourceRequest.builder().memory(Memory.ofBytes(1L << 62)).build();
    for (int job = 0; job < 4; job++) {
      vast.submit(JobSpec.builder("j" + job).role(new TaskRole("w", 1, half)).queue("a"));
    }

    assertThat(memory(vast).held()).isEqualTo(0x1p62);
    assertThat(memory(vast).requested()).isEqualTo(0x1p63);
    for (int job = 0; job < 4; job++) {
      vast.cancel("j" + job);
    }
    assertThat(memory(vast).requested()).isZero();
  }

  private static QueueStatus.Usage memory(Session session) {
    return Objects.requireNonNull(
        session.scheduler.queue(QueueName.of("a")).orElseThrow().usage().get(QuotaResource.MEMORY));
  }

  @Test
  void aJobStartsWhenItsQueueHoldsLessThoughItsNodeWasFreeAllAlong() {
    Session two = Session.of(Policies.bestEffortFifo(), 4, 4);
    queues(two, limited("a", 0, 4));
    two.submit(aJob("a1", 4).queue("a"));
    two.submit(aJob("a2", 3).queue("a"));

    assertThat(two.finish("a1")).containsExactly("start a2");
  }

  @Test
  void theLimitOfAQueueHoldsForAllItsParts() {
    queues(
        session,
        limited("lab", 0, 4),
        QueueSpec.named("vision").in("lab"),
        QueueSpec.named("speech").in("lab"));

    assertThat(submit("vision", "v", 2)).containsExactly("start v");
    assertThat(submit("speech", "s", 3)).isEmpty();
    assertThat(session.finish("v")).containsExactly("start s");
  }

  @Test
  void withinTheLimitOfAQueueItsPartsTakeBackTheirShares() {
    queues(
        session,
        limited("lab", 0, 4),
        QueueSpec.named("vision").in("lab"),
        QueueSpec.named("speech").in("lab"),
        QueueSpec.named("guests"));

    submit("vision", "old", 2);
    submit("vision", "young", 2);
    submit("guests", "g", 4);
    assertThat(submit("speech", "s", 2)).containsExactly("preempt young", "start s");
    assertThat(submit("speech", "more", 1)).isEmpty();
  }

  @Test
  void whatIsTakenBackWithinALimitMayLieWhereTheWinnerCannotGo() {
    Session two =
        onCores(
            Node.builder("small")
                .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
                .memory(Memory.ofGib(8))
                .label("disk", "ssd")
                .build(),
            Node.builder("large")
                .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
                .memory(Memory.ofGib(64))
                .build());
    queues(
        two,
        limited("lab", 0, 2),
        QueueSpec.named("vision").in("lab"),
        QueueSpec.named("speech").in("lab"));
    two.submit(aJob("old", 1).queue("vision").nodeLabel("disk", "ssd"));
    two.submit(aJob("young", 1).queue("vision").nodeLabel("disk", "ssd"));
    ResourceRequest muchMemory = ResourceRequest.builder().gpus(1).memory(Memory.ofGib(32)).build();

    assertThat(
            two.submit(JobSpec.builder("s").role(new TaskRole("w", 1, muchMemory)).queue("speech")))
        .containsExactly("preempt young", "start s");
  }

  @Test
  void jobsThatMayNotBePreemptedStayWithinWhatIsGuaranteed() {
    queues(session, QueueSpec.named("a").withGpus(4));

    assertThat(session.submit(aJob("fixed", 5).queue("a").preemptible(false))).isEmpty();
    assertThat(submit("a", "free", 6)).containsExactly("start free");
    assertThat(session.explain("fixed").unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .startsWith(
            "QUOTAS_FORBID (guarantee of GPUs of queue 'a'): it asks for more than that",
            "QUEUE_GPUS (GPUs guaranteed to queue 'a', for jobs that may not be pre-empted):"
                + " requested 5 GPUs, available 4 GPUs");
  }

  @Test
  void aJobThatItsQueueMayNeverHoldIsToldTheMostThatItMayAskFor() {
    queues(session, limited("lab", 0, 3), limited("guests", 0, 6).in("lab"));
    session.submit(aJob("large", 4).queue("guests"));
    session.submit(aJob("large in parts", 8).queue("guests"));
    submit("guests", "small", 3);

    assertThat(remedies("large"))
        .containsExactly(
            "never starts under these quotas, which allow it at most 3 GPUs (limit of queue"
                + " 'lab')");
    assertThat(session.explain("large").summary())
        .isEqualTo("QUOTAS_FORBID (limit of GPUs of queue 'lab'): it asks for more than that");
    assertThat(remedies("large in parts"))
        .contains(
            "never starts under these quotas, which allow it at most 3 GPUs (limit of queue"
                + " 'lab')");
  }

  @Test
  void aJobThatMayNotBePreemptedIsToldThatItMightStartOtherwise() {
    queues(session, limited("guests", 0, 2), QueueSpec.named("prod").withGpus(1));
    session.submit(aJob("stays", 1).queue("guests").preemptible(false));
    session.submit(aJob("stays too", 1).queue("prod").preemptible(false));
    session.submit(aJob("waits", 1).queue("prod").preemptible(false));

    assertThat(remedies("stays"))
        .containsExactly(
            "never starts under these quotas, which allow it at most 0 GPUs (guarantee of queue"
                + " 'guests')",
            "would fit if it might be pre-empted");
    assertThat(remedies("waits")).containsExactly("would fit if it might be pre-empted");
  }

  @Test
  void aJobThatItsQueueMayNeverHoldIsRejectedIfTheTreeSaysSo() {
    QueueTree tree = QueueTree.of(limited("guests", 0, 2), QueueSpec.named("prod").withGpus(4));
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    submit("guests", "waits", 4);
    submit("guests", "runs", 1);

    assertThat(
            session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree.rejectingBeyondQuotas())))
        .containsExactly("reject waits");
    assertThat(session.last().getFirst().why().describe())
        .contains(
            "QUEUE_GPUS (limit of GPUs of queue 'guests'): requested 4 GPUs, available 2 GPUs");
    assertThat(submit("guests", "large", 3)).containsExactly("reject large");
    assertThat(session.submit(aJob("fixed", 5).queue("prod").preemptible(false)))
        .containsExactly("reject fixed");
    assertThat(submit("guests", "patient", 2)).isEmpty();
    assertThat(
            session.on(
                new ClusterEvent.JobUpdated(
                    Instant.EPOCH, aJob("patient", 3).queue("guests").build())))
        .containsExactly("reject patient");
    assertThat(
            session.submit(
                aJob("shrinks", 4).queue("guests").parallelism(Parallelism.between(1, 4, 4))))
        .containsExactly("start shrinks");
  }

  @Test
  void aGuaranteeOfWhatNobodyLacksProtectsNobody() {
    Session large = onCores(aNode().cpu(CpuCores.of(96)).memory(Memory.ofGib(96)).build());
    queues(
        large,
        QueueSpec.named("a").withGpus(8),
        QueueSpec.named("b").with(QuotaResource.CPU, QueueQuota.guaranteed(88)));
    submitEach(large, "b", 8, onCores(1));

    assertThat(large.submit(JobSpec.builder("a1").queue("a").role("w", 4, onCores(1))))
        .containsExactly("preempt b8", "preempt b7", "preempt b6", "preempt b5", "start a1");
  }

  @Test
  void aGuaranteeOfMemoryProtectsNobodyWhereGpusAreShort() {
    ResourceRequest request = ResourceRequest.builder().gpus(1).memory(Memory.ofGib(1)).build();
    Session large = onCores(aNode().cpu(CpuCores.of(96)).memory(Memory.ofGib(96)).build());
    queues(
        large,
        QueueSpec.named("lab"),
        QueueSpec.named("a").in("lab").withGpus(8),
        QueueSpec.named("b")
            .in("lab")
            .with(QuotaResource.MEMORY, QueueQuota.guaranteed((double) Memory.ofGib(88).bytes())));
    submitEach(large, "b", 8, request);

    assertThat(large.submit(JobSpec.builder("a1").queue("a").role("w", 1, request)))
        .containsExactly("preempt b8", "start a1");
  }

  @Test
  void whoTakesIdleCoresBeyondItsGuaranteeStillGetsItsGpusBack() {
    for (Reclaiming rules :
        List.of(Reclaiming.COMPUTED_SHARES, Reclaiming.LENT_QUOTA, Reclaiming.DOMINANT_SHARES)) {
      Session large = onCores(aNode().cpu(CpuCores.of(96)).build());
      large.on(
          new ClusterEvent.QueuesChanged(
              Instant.EPOCH,
              QueueTree.of(QueueSpec.named("lab"), ofCores("a", 4, 3), ofCores("b", 4, 93))
                  .with(rules)));
      submitEach(large, "b", 8, onCores(1));

      assertThat(large.submit(JobSpec.builder("a1").queue("a").role("w", 1, onCores(4))))
          .as("%s", rules)
          .containsExactly("preempt b8", "start a1");
    }
  }

  @Test
  void aJobOfTwoModelsRunsOnTheOneOfWhichItsQueueMayHoldMore() {
    Session mixed =
        onCores(
            Node.builder("old").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build(),
            Node.builder("new").gpus(2, GpuModel.of("A100"), Memory.ofGib(40)).build());
    queues(
        mixed,
        QueueSpec.named("a")
            .with(QuotaResource.gpus(GpuModel.of("A100")), QueueQuota.guaranteed(0).withLimit(0)));

    assertThat(
            mixed.submit(
                aJob("any", 2)
                    .queue("a")
                    .gpuModels(List.of(GpuModel.of("A100"), GpuModel.of("V100")))))
        .containsExactly("start any");
  }

  @Test
  void whoLacksCoresTakesNoGpus() {
    Session large = onCores(aNode().cpu(CpuCores.of(8)).build());
    queues(
        large,
        ofCores("a", 0, 8),
        QueueSpec.named("lab"),
        QueueSpec.named("b").in("lab"),
        QueueSpec.named("c").in("lab"));
    large.submit(JobSpec.builder("gpus").queue("c").gpus(6));
    submitEach(large, "b", 2, onCores(4));

    assertThat(large.submit(JobSpec.builder("a1").queue("a").role("w", 1, onlyCores(4))))
        .containsExactly("preempt b2", "start a1");
  }

  private static Node.Builder aNode() {
    return Node.builder("n0").gpus(8, GpuModel.of("V100"), Memory.ofGib(16));
  }

  private static ResourceRequest onCores(int cores) {
    return ResourceRequest.builder().gpus(1).cpu(CpuCores.of(cores)).build();
  }

  private static ResourceRequest onlyCores(int cores) {
    return ResourceRequest.builder().cpu(CpuCores.of(cores)).build();
  }

  private static QueueSpec ofCores(String name, int gpus, int cores) {
    return QueueSpec.named(name)
        .in("lab")
        .withGpus(gpus)
        .with(QuotaResource.CPU, QueueQuota.guaranteed(cores));
  }

  /** Submits jobs of one task each, named after their queue. */
  private static void submitEach(Session to, String queue, int jobs, ResourceRequest request) {
    for (int job = 1; job <= jobs; job++) {
      to.submit(JobSpec.builder(queue + job).queue(queue).role("w", 1, request));
    }
  }

  private List<String> remedies(String job) {
    return session.explain(job).remedies().stream().map(Counterfactual::describe).toList();
  }

  @Test
  void aQueueTakesBackItsShareFromTheYoungestJobOfWhoHoldsTooMuch() {
    queues(
        session,
        QueueSpec.named("a").withGpus(2),
        QueueSpec.named("b").withGpus(4),
        QueueSpec.named("c"));
    submit("a", "a1", 2);
    submitEach("c", "c", 6);
    submit("b", "b1", 8);

    assertThat(submit("a", "a2", 1)).containsExactly("preempt c6", "start a2");
    assertThat(session.last().getFirst().why())
        .isEqualTo(
            new Reason.Reclaimed(
                QueueName.of("c"), QueueName.of("a"), JobId.of("a2"), ReclaimRule.COMPUTED_SHARE));
    assertThat(submit("a", "a3", 2)).isEmpty();
  }

  @Test
  void whatIsGuaranteedComesBackAtOnce() {
    queues(session, QueueSpec.named("a").withGpus(4), QueueSpec.named("b").withGpus(4));
    submitEach("b", "b", 8);

    assertThat(submit("a", "a1", 4))
        .containsExactly("preempt b8", "preempt b7", "preempt b6", "preempt b5", "start a1");
    assertThat(submit("a", "a2", 1)).isEmpty();
  }

  @Test
  void whoHoldsNoMoreThanIsDueToItLosesNothing() {
    queues(session, QueueSpec.named("a").withGpus(2), QueueSpec.named("b").withGpus(6));
    submitEach("b", "b", 6);
    submit("a", "a1", 2);

    assertThat(submit("a", "a2", 1)).isEmpty();
    assertThat(submit("b", "b7", 1)).isEmpty();
  }

  /**
   * One GPU stays unlent for a queue that is idle, and a lost node has taken the last other one.
   */
  @Test
  void theOwnerOfAGuaranteeStartsWhileOthersHoldSoMuchThatUnlentQuotaIsShort() {
    Session three = Session.of(Policies.bestEffortFifo(), 2, 2, 2);
    queues(
        three,
        QueueSpec.named("keeper")
            .with(QuotaResource.GPUS, QueueQuota.guaranteed(2).withLendingLimit(0)),
        QueueSpec.named("owner").withGpus(2),
        QueueSpec.named("others"));
    three.submit(aJob("o1", 2).queue("others"));
    three.submit(aJob("o2", 2).queue("others"));
    assertThat(three.submit(aJob("o3", 1).queue("others"))).isEmpty();

    assertThat(three.submit(aJob("own", 2).queue("owner"))).containsExactly("start own");
  }

  @Test
  void aGuaranteeOfCoresThatNobodyLacksKeepsNoGpus() {
    queues(
        session,
        QueueSpec.named("a"),
        QueueSpec.named("b").with(QuotaResource.CPU, QueueQuota.guaranteed(8)));
    submitEach("b", "b", 8);

    assertThat(submit("a", "a1", 1)).containsExactly("preempt b8", "start a1");
  }

  /** The cores are short as well, and another queue holds all of them. */
  @Test
  void aGuaranteeOfCoresKeepsNoGpusOfJobsThatHoldNoCores() {
    Session one = onCores(node("n0", 2, 4));
    queues(
        one,
        QueueSpec.named("a"),
        QueueSpec.named("b").with(QuotaResource.CPU, QueueQuota.guaranteed(2)),
        QueueSpec.named("c"));
    one.submit(aJob("b1", 1).queue("b"));
    one.submit(aJob("b2", 1).queue("b"));
    one.submit(onCores("c1", "c", 0, 4));

    assertThat(one.submit(onCores("a1", "a", 1, 2)))
        .containsExactlyInAnyOrder("preempt b2", "preempt c1", "start a1");
  }

  @Test
  void whatIsGuaranteedToAQueueProtectsTheJobsOfItsParts() {
    for (int gpus : List.of(2, 4)) {
      Session one = Session.of(Policies.bestEffortFifo(), 8);
      queues(
          one,
          QueueSpec.named("lab").withGpus(6),
          QueueSpec.named("vision").in("lab"),
          QueueSpec.named("guests"));
      for (int job = 1; job <= 8 / gpus; job++) {
        one.submit(aJob("v" + job, gpus).queue("vision"));
      }

      assertThat(one.submit(aJob("g1", 1).queue("guests")))
          .isEqualTo(gpus == 2 ? List.of("preempt v4", "start g1") : List.of());
    }
  }

  /**
   * Four GPUs are due to each of two queues, which hold four and eight, since eight are due to a
   * third one for jobs that cannot run. With two more one of them would hold as many as the other
   * with two less, so that it takes them from its sibling.
   */
  @Test
  void whoWouldHoldAsMuchOfItsShareAsTheOtherTakesNothingFromIt() {
    Session two = Session.of(Policies.bestEffortFifo(), 12, 4);
    queues(
        two,
        QueueSpec.named("lab"),
        QueueSpec.named("vision").in("lab"),
        QueueSpec.named("speech").in("lab"),
        QueueSpec.named("others"),
        QueueSpec.named("absent").withGpus(8));
    two.drain("n1");
    for (String job : List.of("o1", "o2", "o3", "o4")) {
      two.submit(aJob(job, 2).queue("others"));
    }
    two.submit(aJob("v1", 2).queue("vision"));
    two.submit(aJob("v2", 2).queue("vision"));
    two.submit(aJob("a1", 4).queue("absent").excludeNodes(List.of("n0")));
    assertThat(two.submit(aJob("a2", 4).queue("absent").excludeNodes(List.of("n0")))).isEmpty();

    assertThat(two.submit(aJob("s1", 2).queue("speech"))).containsExactly("preempt v2", "start s1");
  }

  @Test
  void jobsThatMayNotBePreemptedAreNotReclaimed() {
    queues(session, QueueSpec.named("a").withGpus(4), QueueSpec.named("b").withGpus(8));
    session.submit(aJob("b1", 8).queue("b").preemptible(false));

    assertThat(submit("a", "a1", 4)).isEmpty();
  }

  @Test
  void theQueueThatHoldsLeastOfItsShareIsServedFirst() {
    Session busy = Session.of(Policies.bestEffortFifo(), 4);
    queues(busy, QueueSpec.named("a"), QueueSpec.named("b"));
    busy.submit(aJob("a1", 4).queue("a").preemptible(true));
    assertThat(busy.submit(aJob("a2", 1).queue("a"))).isEmpty();

    assertThat(busy.submit(aJob("b1", 1).queue("b")))
        .containsExactly("preempt a1", "start b1", "start a2");
  }

  @Test
  void priorityPreemptsInsideAQueueOnly() {
    Session ranked = Session.of(Policies.priority(), 8);
    queues(ranked, QueueSpec.named("a").withGpus(4), QueueSpec.named("b").withGpus(4));
    ranked.submit(aJob("a1", 4).queue("a"));
    ranked.submit(aJob("b1", 4).queue("b"));

    assertThat(ranked.submit(aJob("a2", 4).queue("a").priority(9)))
        .containsExactly("preempt a1", "start a2");
    assertThat(ranked.submit(aJob("b2", 8).queue("b").priority(9))).isEmpty();
  }

  /** Of ten GPUs five are due to each. */
  @Test
  void preemptionWithinAQueueStopsAtItsShareWhileOtherQueuesWait() {
    Session ranked = Session.of(Policies.priority(), 10);
    queues(ranked, QueueSpec.named("a").withGpus(4), QueueSpec.named("b").withGpus(4));
    ranked.submit(aJob("a1", 4).queue("a"));
    ranked.submit(aJob("b1", 4).queue("b"));
    ranked.submit(aJob("b2", 4).queue("b"));

    assertThat(ranked.submit(aJob("a2", 6).queue("a").priority(9))).isEmpty();
    assertThat(ranked.cancel("b2")).containsExactly("preempt a1", "start a2");
  }

  /**
   * Beside a1 it would be six GPUs of the five that are due to the queue. What that leaves idle is
   * anybody's again.
   */
  @Test
  void whoLeavesForAJobOfItsQueueMayRunWhereThatDoesNotFit() {
    Session ranked =
        new Session(
            LiquidScheduler.builder(cluster(withLabel("n0", 4), node("n1", 2, 0), node("n2", 4, 0)))
                .policy(Policies.priority())
                .build());
    queues(ranked, QueueSpec.named("a").withGpus(4), QueueSpec.named("b").withGpus(4));
    ranked.submit(aJob("a1", 2).queue("a").priority(5));
    ranked.submit(aJob("a2", 2).queue("a"));
    ranked.submit(aJob("b1", 4).queue("b"));
    ranked.submit(aJob("b2", 4).queue("b"));

    assertThat(ranked.nodesOf("a1")).containsExactly("n1");
    assertThat(ranked.submit(aJob("a3", 4).queue("a").priority(9).nodeLabel("disk", "ssd")))
        .containsExactly("preempt a2", "preempt a1", "start a3", "start a1");
  }

  /** Of what is left two of three GPUs are lent, and the first to give back is on a small node. */
  @Test
  void unlendableQuotaIsLeftFreeEvenIfVictimsRanOnUnusableNodes() {
    Session lost = onCores(withLabel("n0", 2), node("n1", 1, 0), node("n2", 2, 0));
    queues(
        lost,
        QueueSpec.named("keeper")
            .with(QuotaResource.GPUS, QueueQuota.guaranteed(1).withLendingLimit(0)),
        QueueSpec.named("first").withPriority(1),
        QueueSpec.named("others"));
    lost.submit(aJob("o1", 2).queue("others"));
    lost.submit(aJob("o2", 1).queue("others"));
    lost.lose("n2");

    assertThat(lost.nodesOf("o2")).containsExactly("n1");
    assertThat(lost.submit(aJob("f1", 2).queue("first").nodeLabel("disk", "ssd")))
        .containsExactly("preempt o2", "preempt o1", "start f1");
  }

  @Test
  void aJobForAnyModelRunsOnOneOfWhichItsQueueMayHoldSome() {
    GpuModel slow = GpuModel.of("V100");
    Session two =
        onCores(
            Node.builder("fast").gpus(2, GpuModel.of("H100"), Memory.ofGib(80)).build(),
            Node.builder("slow").gpus(4, slow, Memory.ofGib(16)).build());
    queues(
        two,
        QueueSpec.named("a").with(QuotaResource.gpus(slow), QueueQuota.guaranteed(0).withLimit(0)));

    assertThat(two.submit(aJob("j", 2).queue("a"))).containsExactly("start j");
    assertThat(two.nodesOf("j")).containsExactly("fast");
  }

  @Test
  void queuesMayChangeWhileJobsRun() {
    queues(session, limited("a", 0, 4));
    submit("a", "a1", 4);
    submit("a", "a2", 4);

    assertThat(queues(session, limited("a", 0, 8))).containsExactly("start a2");
    assertThat(queues(session, limited("a", 0, 2))).isEmpty();
    assertThat(session.running()).containsExactly("a1", "a2");
  }

  @Test
  void jobsThatWereThereBeforeStandInTheTree() {
    submit("a", "a1", 6);
    submit("b", "b1", 4);

    assertThat(queues(session, QueueSpec.named("a"), QueueSpec.named("b").withGpus(4)))
        .containsExactly("preempt a1", "start b1");
  }

  @Test
  void aJobOfAnUnknownQueueIsRefused() {
    queues(session, QueueSpec.named("lab"), QueueSpec.named("vision").in("lab"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> submit("speech", "s", 1))
        .withMessage(
            "a job must be in a queue of the tree that has no parts, but job 's' is in 'speech',"
                + " which is not there");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> submit("lab", "l", 1))
        .withMessageEndingWith("job 'l' is in 'lab', which has parts");
    assertThat(submit("vision", "v", 1)).containsExactly("start v");
  }

  @Test
  void aQueueWithJobsInItStays() {
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    submit("b", "b1", 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> queues(session, QueueSpec.named("a")))
        .withMessageEndingWith("job 'b1' is in 'b', which is not there");
    assertThat(submit("b", "b2", 1)).containsExactly("start b2");
  }

  @Test
  void whatAQueueHoldsAndWhatIsDueToItCanBeRead() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(8)).policy(Policies.bestEffortFifo()).build();
    Session queued = new Session(scheduler);
    assertThat(scheduler.queue(QueueName.of("a"))).isEmpty();
    queues(
        queued,
        QueueSpec.named("lab"),
        QueueSpec.named("a").in("lab").withGpus(2),
        QueueSpec.named("b").in("lab"));
    queued.submit(aJob("a1", 1).queue("a").preemptible(false));
    queued.submit(aJob("b1", 4).queue("b"));
    queued.submit(aJob("b2", 16).queue("b").parallelism(Parallelism.between(4, 16, 16)));

    assertThat(scheduler.queue(QueueName.of("lab")).orElseThrow().usage())
        .containsEntry(QuotaResource.GPUS, new QueueStatus.Usage(5, 0, 1, 21, 8, 0));
    assertThat(scheduler.queue(QueueName.of("a")).orElseThrow().usage())
        .containsEntry(QuotaResource.GPUS, new QueueStatus.Usage(1, 0, 1, 1, 1, 0));
    assertThat(scheduler.queue(QueueName.of("b")).orElseThrow().usage())
        .containsEntry(QuotaResource.GPUS, new QueueStatus.Usage(4, 0, 0, 20, 7, 0));
    assertThat(scheduler.queue(QueueName.of("c"))).isEmpty();
  }

  @Test
  void aRestoredSchedulerAndACopyKnowTheQueues() {
    queues(session, limited("a", 2, 4), QueueSpec.named("b").withGpus(4));
    submit("a", "a1", 4);
    submit("a", "a2", 1);

    for (Session other : List.of(session.restored(), session.copy())) {
      assertThat(other.waiting()).containsExactly("a2");
      assertThat(other.submit(aJob("b1", 4).queue("b"))).containsExactly("start b1");
      assertThat(other.finish("a1")).containsExactly("start a2");
    }
  }

  private List<String> submit(String queue, String job, int gpus) {
    return session.submit(aJob(job, gpus).queue(queue));
  }

  private void submitEach(String queue, String prefix, int jobs) {
    for (int job = 1; job <= jobs; job++) {
      JobSpec.Builder spec = aJob(prefix + job, 1);
      session.submit(spec.queue(queue));
    }
  }

  private static QueueSpec limited(String name, int guaranteed, int limit) {
    return QueueSpec.named(name)
        .with(QuotaResource.GPUS, QueueQuota.guaranteed(guaranteed).withLimit(limit));
  }

  private static List<String> queues(Session session, QueueSpec... queues) {
    return session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(List.of(queues))));
  }

  @Test
  void aJobOfUnguaranteedResourcesReclaimsNothing() {
    Session one = onCores(node("n0", 1, 4));
    queues(one, QueueSpec.named("a"), withoutShare("b"));
    one.submit(onCores("a1", "a", 1, 4));

    assertThat(one.submit(onCores("b1", "b", 0, 4))).isEmpty();
  }

  @Test
  void excessGpusDoNotCostAQueueItsCpuJobsForACpuJob() {
    Session two = onCores(node("n0", 2, 2), node("n1", 0, 4));
    queues(two, withoutShare("a"), withoutShare("b"));
    two.submit(onCores("a1", "a", 1, 1));
    two.submit(onCores("b1", "b", 1, 1));

    assertThat(two.submit(onCores("a2", "a", 0, 4))).containsExactly("start a2");
    assertThat(two.submit(onCores("b2", "b", 0, 4))).isEmpty();
  }

  @Test
  void whoHoldsTooManyGpusKeepsTheCoresThatAreGuaranteed() {
    Session two = onCores(node("n0", 2, 2), node("n1", 0, 4), node("n2", 0, 4));
    QueueQuota fiveCores = QueueQuota.guaranteed(5);
    queues(
        two,
        withoutShare("a").with(QuotaResource.CPU, fiveCores),
        withoutShare("b").with(QuotaResource.CPU, fiveCores));
    two.submit(onCores("a1", "a", 1, 1));
    two.submit(onCores("b1", "b", 1, 1));
    two.drain("n2");

    assertThat(two.submit(onCores("a2", "a", 0, 4))).containsExactly("start a2");
    assertThat(two.submit(onCores("b2", "b", 0, 4))).isEmpty();
  }

  @Test
  void aQueueWithExcessGpusLosesACpuJobToOneOwedGpus() {
    Session two = onCores(node("n0", 1, 1), node("n1", 1, 4));
    queues(two, withoutShare("a"), QueueSpec.named("b").withGpus(1));
    two.submit(onCores("a1", "a", 1, 1));
    two.submit(onCores("a2", "a", 0, 4));

    assertThat(two.submit(onCores("b1", "b", 1, 4))).containsExactly("preempt a2", "start b1");
  }

  private static QueueSpec withoutShare(String queue) {
    return QueueSpec.named(queue).with(QuotaResource.GPUS, QueueQuota.BEST_EFFORT.withWeight(0));
  }

  private static Session onCores(Node... nodes) {
    return new Session(
        LiquidScheduler.builder(cluster(nodes)).policy(Policies.bestEffortFifo()).build());
  }

  private static ClusterTopology cluster(Node... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (Node node : nodes) {
      cluster.node(node);
    }
    return cluster.build();
  }

  /** Returns a node where jobs fit that ask for its disk. */
  private static Node withLabel(String id, int gpus) {
    return Node.builder(id)
        .gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16))
        .label("disk", "ssd")
        .build();
  }

  private static Node node(String id, int gpus, int cores) {
    return Node.builder(id)
        .gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16))
        .cpu(CpuCores.of(cores))
        .build();
  }

  private static JobSpec.Builder onCores(String id, String queue, int gpus, int cores) {
    ResourceRequest request = ResourceRequest.builder().cpu(CpuCores.of(cores)).gpus(gpus).build();
    return JobSpec.builder(id).queue(queue).role("worker", 1, request);
  }
}
