package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.quota.RecentUse;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.List;

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
    state.jobs().quotas().tree().ifPresent(tree -> section.put("tree", tree));
    state.jobs().quotas().recentUse().ifPresent(use -> section.put("used", used(use)));
    return section.build();
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
    QueueTree tree = in.value("tree", QueueTree.class);
    state.jobs().queues().change(tree);
    in.optional("used", SnapshotSection.class)
        .map(recent -> recent.<RecentUse>read(each -> used(each, tree)))
        .ifPresent(state.jobs().quotas()::restoreUse);
  }
}
