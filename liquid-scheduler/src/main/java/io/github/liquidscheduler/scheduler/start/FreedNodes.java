package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.makeroom.ClusterRoom;
import io.github.liquidscheduler.placement.makeroom.NodeAmounts;
import io.github.liquidscheduler.placement.makeroom.NodeHeadroom;
import io.github.liquidscheduler.scheduler.queue.ClassWalk;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.MissingTasks;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whom the room helps that an event has made. A job that did not fit before fits now only if one of
 * its tasks goes on a node where room has grown, since everywhere else there is no more than there
 * was; room counts what is free and what the job may take from others. So a job of which no task
 * fits on any such node, as it is at the time of the question, is known to fail.
 *
 * <p>That holds for placers that are {@linkplain
 * io.github.liquidscheduler.scheduling.Placer#isCapacityBound() bound by capacity} alone; with
 * others any growth may help anybody. What was learned of jobs that share GPUs may help those, on
 * any node.
 */
final class FreedNodes {

  private final JobTable table;
  private final RetryState changes;
  private final boolean helpAnywhere;
  private final TakeableRoom everywhere;
  private @Nullable List<NodeHeadroom> rooms;
  private @Nullable ClassWalk walk;
  private @Nullable List<NodeAmounts> amounts;
  private @Nullable JobEntry helped;

  /** Makes the question; if {@code helpAnywhere}, room on any node may help anybody. */
  FreedNodes(JobTable table, boolean helpAnywhere) {
    this.table = table;
    this.helpAnywhere = helpAnywhere;
    changes = table.changes();
    everywhere = new TakeableRoom(table);
  }

  /** Begins to go through the classes that may be helped, from the jobs of this rank on. */
  void beginFrom(long rank) {
    walk = classes().walkFrom(rank);
    started();
  }

  /**
   * Returns the next in turn who is the first of a class and whom the room helps as it is now; null
   * if there is nobody. Room only shrinks as jobs start, so whoever is passed over need not be
   * asked again.
   */
  @Nullable JobEntry peek() {
    if (helped == null && walk != null) {
      helped = walk.next(job -> mayHoldAny(job) && helps(job));
    }
    return helped;
  }

  /** Goes on after the job that is next. There is one. */
  void skip() {
    Objects.requireNonNull(walk).passOver(Objects.requireNonNull(helped));
    helped = null;
  }

  /** Notes that a job has started, so that less is left. */
  void started() {
    helped = null;
    amounts = null;
  }

  /** Returns false if the largest amounts on any node that grew hold no task of the job. */
  private boolean mayHoldAny(JobEntry job) {
    return helpAnywhere || changes.hasRelearned() || amounts().getLast().hold(job.leastTask());
  }

  /** Returns the amounts of each of the rooms, and at last the largest of all. */
  private List<NodeAmounts> amounts() {
    @Nullable List<NodeAmounts> known = amounts;
    if (known == null) {
      known = new ArrayList<>();
      NodeAmounts most = NodeAmounts.NOTHING;
      for (NodeHeadroom room : rooms()) {
        known.add(room.forRank(changes.grownFrom()).amounts());
        most = most.max(known.getLast());
      }
      known.add(most);
      amounts = known;
    }
    return known;
  }

  /**
   * Takes in what grew for a class, of which this is the first job; false if that is too little.
   */
  private boolean helps(JobEntry job) {
    MissingTasks shortage = job.shortage();
    @Nullable TaskShape task = shortage.task(job);
    if (task == null || helpAnywhere) {
      shortage.clear();
      return mayHelp(job);
    }
    int freed = freed(job, task, shortage.missing());
    if (freed < shortage.missing()) {
      shortage.reduce(freed);
      return false;
    }
    return true;
  }

  /** Returns how many tasks of a job, up to {@code most}, go on the nodes that grew as they are. */
  private int freed(JobEntry job, TaskShape task, int most) {
    int freed = 0;
    for (int i = 0; i < rooms().size() && freed < most; i++) {
      if (amounts().get(i).hold(job.leastTask())) {
        freed += rooms().get(i).forRank(job.rank()).tasks(job.job(), task, most - freed);
      }
    }
    return Math.min(freed, most);
  }

  /**
   * Returns whether the whole cluster, as it is now, has too little room for some role of a job.
   */
  boolean isTooLittle(JobEntry job) {
    if (helpAnywhere || !(job.job().sharing() instanceof Sharing.Exclusive)) {
      return false;
    }
    MissingTasks shortage = job.shortage();
    @Nullable TaskShape lacking = shortage.task(job);
    if (lacking != null) {
      shortage.reduce(freed(job, lacking, shortage.missing()));
      if (shortage.missing() > 0) {
        return true;
      }
    }
    shortage.clear();
    Optional<ClusterRoom.Lack> lack = everywhere.forJob(job).lack(job.job());
    lack.ifPresent(known -> shortage.set(known.role(), known.missing(), job.rank()));
    return lack.isPresent();
  }

  /** Returns false if nothing that grew can help a job that failed before. */
  boolean mayHelp(JobEntry job) {
    if (!changes.hasGrownFor(job)) {
      return false;
    }
    if (helpAnywhere
        || (changes.hasRelearned() && !(job.job().sharing() instanceof Sharing.Exclusive))) {
      return true;
    }
    for (int i = 0; i < rooms().size(); i++) {
      if (amounts().get(i).hold(job.leastTask())
          && rooms().get(i).forRank(job.rank()).mayHold(job.job(), job.placementClass().tasks())) {
        return true;
      }
    }
    return false;
  }

  /** Notes that jobs were pre-empted, which helps jobs of this rank and higher ones. */
  void preempted(long rank) {
    everywhere.clear();
    rooms = null;
    beginFrom(walk == null ? rank : Math.min(rank, walk.rank()));
  }

  private WaitingClasses classes() {
    return table.eligible().byClass();
  }

  /** Returns what is free on each node that grew, and what there may be taken from whom. */
  private List<NodeHeadroom> rooms() {
    @Nullable List<NodeHeadroom> known = rooms;
    if (known == null) {
      known =
          changes.grownNodes().stream()
              .filter(node -> index().health(node) == NodeHealth.UP)
              .mapToObj(this::room)
              .toList();
      rooms = known;
    }
    return known;
  }

  private NodeHeadroom room(int node) {
    NodeHeadroom room = new NodeHeadroom(index(), node);
    if (table.policy().preempts()) {
      NodeId id = index().topology().nodes().get(node).id();
      for (JobEntry job : table.running().on(id)) {
        if (job.job().isPreemptible()) {
          room.add(table.currentRank(job), job.nodes(index().topology()));
        }
      }
    }
    return room;
  }

  private CapacityIndex index() {
    return table.cluster().index();
  }
}
