package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.quota.RecentUse;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/*
 * Idea: a tree is saved by its queues in their order, with values that differ from defaults only;
 * unlimited amounts are left out, since JSON has no infinity.
 * Invariants: the loaded tree equals the saved one, with decayed usage and reclaim rules; names in
 * snapshots never change. SnapshotTest and RecoveryLaws.
 * Cost: O(queues x resources) to save and load.
 */
/** The queue tree, if there is one. Usage follows from the jobs. Loaded before the jobs. */
record QueuesSection() implements StateSection {

  @Override
  public String name() {
    return "queues";
  }

  @Override
  public boolean mayBeMissing() {
    return true;
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    SnapshotSection.Builder section = SnapshotSection.builder();
    state.jobs().quotas().tree().ifPresent(tree -> save(tree, section));
    state.jobs().quotas().recentUse().ifPresent(use -> section.put("used", used(use)));
    return section.build();
  }

  private static void save(QueueTree tree, SnapshotSection.Builder section) {
    section.list("queues", tree.queues(), QueuesSection::queue);
    if (tree.reclaiming() != Reclaiming.COMPUTED_SHARES) {
      section.text("reclaiming", tree.reclaiming().name());
    }
    tree.decayedUsage().ifPresent(history -> section.put("decayedUsage", history(history)));
    if (tree.rejectsBeyondQuotas()) {
      section.put("rejectsBeyondQuotas", true);
    }
  }

  private static SnapshotSection history(DecayedUsage history) {
    return SnapshotSection.builder()
        .text("halfLife", history.halfLife())
        .put("sensitivity", (Object) history.sensitivity())
        .build();
  }

  private static DecayedUsage history(SnapshotSection.Reader in) {
    return new DecayedUsage(
        in.text("halfLife", Duration::parse), in.value("sensitivity", Double.class));
  }

  private static SnapshotSection used(RecentUse use) {
    return SnapshotSection.builder()
        .text("asOf", use.asOf())
        .list("total", use.total(), amount -> amount)
        .list("queues", use.queues(), QueuesSection::used)
        .build();
  }

  private static SnapshotSection used(RecentUse.OfQueue queue) {
    return SnapshotSection.builder()
        .text("name", queue.queue())
        .list("amounts", queue.amounts(), amount -> amount)
        .build();
  }

  private static RecentUse used(SnapshotSection.Reader in, QueueTree tree) {
    return new RecentUse(
        in.text("asOf", Instant::parse),
        tree.resources(),
        in.list("queues", SnapshotSection.class, each -> each.read(QueuesSection::used)),
        amounts(in, "total"));
  }

  private static RecentUse.OfQueue used(SnapshotSection.Reader in) {
    return new RecentUse.OfQueue(in.text("name", QueueName::of), amounts(in, "amounts"));
  }

  private static List<Double> amounts(SnapshotSection.Reader in, String name) {
    return in.list(name, Double.class, amount -> amount);
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    List<QueueSpec> queues =
        in.list("queues", SnapshotSection.class, each -> each.read(QueuesSection::queue));
    Reclaiming rules =
        in.optional("reclaiming", String.class)
            .map(Reclaiming::valueOf)
            .orElse(Reclaiming.COMPUTED_SHARES);
    QueueTree tree = QueueTree.of(queues).with(rules);
    QueueTree used =
        in.optional("decayedUsage", SnapshotSection.class)
            .map(history -> tree.withDecayedUsage(history.read(QueuesSection::history)))
            .orElse(tree);
    boolean rejects = in.optional("rejectsBeyondQuotas", Boolean.class).orElse(false);
    QueueTree whole = rejects ? used.rejectingBeyondQuotas() : used;
    state.jobs().queues().change(whole);
    in.optional("used", SnapshotSection.class)
        .map(recent -> recent.<RecentUse>read(each -> used(each, whole)))
        .ifPresent(state.jobs().quotas()::restoreUse);
  }

  private static SnapshotSection queue(QueueSpec queue) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .text("name", queue.name())
            .text("parent", queue.parent())
            .put("priority", queue.priority())
            .list("quotas", queue.quotas().entrySet(), QueuesSection::quota);
    if (!queue.preemption().equals(QueuePreemption.DEFAULT)) {
      section
          .text("own", queue.preemption().own().name())
          .text("others", queue.preemption().others().name());
      queue
          .preemption()
          .whileBorrowing()
          .ifPresent(most -> section.put("borrowingUpTo", (long) most));
    }
    if (!queue.bypass()) {
      section.put("bypass", false);
    }
    return section.build();
  }

  private static QueueSpec queue(SnapshotSection.Reader in) {
    Map<QuotaResource, QueueQuota> quotas = new TreeMap<>();
    in.list("quotas", SnapshotSection.class, each -> each.read(QueuesSection::quota))
        .forEach(quota -> quotas.put(quota.getKey(), quota.getValue()));
    return new QueueSpec(
        in.text("name", QueueName::of),
        in.optional("parent", String.class).map(QueueName::of),
        Math.toIntExact(in.value("priority", Long.class)),
        quotas,
        preemption(in),
        in.optional("bypass", Boolean.class).orElse(true));
  }

  private static QueuePreemption preemption(SnapshotSection.Reader in) {
    QueuePreemption byDefault = QueuePreemption.DEFAULT;
    return new QueuePreemption(
        in.optional("own", String.class).map(Victims::valueOf).orElse(byDefault.own()),
        in.optional("others", String.class).map(Victims::valueOf).orElse(byDefault.others()),
        in.optional("borrowingUpTo", Long.class).map(Math::toIntExact));
  }

  private static SnapshotSection quota(Map.Entry<QuotaResource, QueueQuota> entry) {
    QueueQuota quota = entry.getValue();
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .text("kind", entry.getKey().kind().name())
            .text("model", entry.getKey().model());
    putFinite(section, "guaranteed", quota.guaranteed());
    putFinite(section, "limit", quota.limit());
    putFinite(section, "weight", quota.weight());
    putFinite(section, "lendingLimit", quota.lendingLimit());
    return section.build();
  }

  private static void putFinite(SnapshotSection.Builder section, String name, double amount) {
    if (amount < Double.POSITIVE_INFINITY) {
      section.put(name, (Object) amount);
    }
  }

  private static Map.Entry<QuotaResource, QueueQuota> quota(SnapshotSection.Reader in) {
    return Map.entry(
        new QuotaResource(
            in.text("kind", QuotaResource.Kind::valueOf),
            in.optional("model", String.class).map(GpuModel::of)),
        new QueueQuota(
            amount(in, "guaranteed"),
            amount(in, "limit"),
            amount(in, "weight"),
            amount(in, "lendingLimit")));
  }

  private static double amount(SnapshotSection.Reader in, String name) {
    Optional<Double> amount = in.optional(name, Double.class);
    return amount.orElse(Double.POSITIVE_INFINITY);
  }
}
