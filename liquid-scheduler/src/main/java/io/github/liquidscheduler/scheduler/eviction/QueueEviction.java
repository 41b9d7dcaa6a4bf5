package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.Imagined;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who has to leave for a waiting job where queues are in a tree. Where they {@linkplain
 * LendingEviction lend} each other quota that has rules of its own. Else it is first jobs of
 * {@linkplain ReclaimedJobs other queues}, if its own then holds no more than its share; else, if
 * the policy pre-empts, those of its own queue that come after it. Where jobs change their sizes,
 * they get smaller first; where they may move, those go on elsewhere that find a place. Nobody
 * leaves who has started in the same turn.
 */
public final class QueueEviction {

  private final JobTable table;
  private final Placer placer;
  private final Placer forWinner;
  private final Set<JobEntry> started;
  private final @Nullable LosableJobs losable;
  private boolean spared;

  /**
   * Makes a search.
   *
   * @param placer finds other places for those who leave
   * @param forWinner finds the place for which they do
   * @param started who has started in this turn
   */
  public QueueEviction(JobTable table, Placer placer, Placer forWinner, Set<JobEntry> started) {
    this(table, placer, forWinner, started, null);
  }

  private QueueEviction(
      JobTable table,
      Placer placer,
      Placer forWinner,
      Set<JobEntry> started,
      @Nullable LosableJobs losable) {
    this.losable = losable;
    this.table = table;
    this.placer = placer;
    this.forWinner = forWinner;
    this.started = started;
  }

  /**
   * Makes a search for jobs that, unless a quota is exceeded, have found too little room, by a
   * placer that is bound by capacity: only where others leave may there be enough. What they are
   * {@linkplain JobEntry#shortage known to lack} they lack even if all of their own queue leave
   * that they may pre-empt.
   *
   * @param losable who may leave for them, but for those who have started in this turn
   */
  public static QueueEviction ofWhoeverLacksRoom(
      JobTable table, Placer placer, LosableJobs losable) {
    return new QueueEviction(table, placer, placer, losable.started(), losable);
  }

  /** Returns which jobs would make room for the job, or empty if none would. */
  public Optional<MadeRoom> find(JobEntry winner) {
    if (table.quotas().reclaiming().lends()) {
      return new LendingEviction(table, placer, this::isSpared).find(winner);
    }
    Optional<MadeRoom> room = reclaim(winner);
    return room.isPresent() || !table.policy().preempts() ? room : preempt(winner);
  }

  /** Returns whether the search failed though somebody was there who has started in this turn. */
  public boolean hasSpared() {
    return spared;
  }

  private Optional<MadeRoom> reclaim(JobEntry winner) {
    if (table.quotas().reclaiming() == Reclaiming.NEVER
        || !table.quotas().reclaimFor(winner).isJust()) {
      return Optional.empty();
    }
    if (table.quotas().excess(winner).isPresent()) {
      return reclaimBelowLimit(winner);
    }
    LosableJobs.Answer known = known(winner, LosableJobs::ask);
    Optional<MadeRoom> room =
        known.mayHelp()
            ? search(
                winner, QuotaPlacer.taking(forWinner, table.quotas(), winner, true), losing(winner))
            : Optional.empty();
    boolean isOtherOrder = winner.account().isPart() && known.areNear();
    if (room.isEmpty() && isOtherOrder && known(winner, LosableJobs::askNearestFirst).mayHelp()) {
      room = reclaimNearestFirst(winner);
    }
    return room.isPresent() || table.preemption().mostMoves() == 0 ? room : reclaimByMoving(winner);
  }

  /** Returns what counting tells of those who may leave for a job, if it tells anything. */
  private LosableJobs.Answer known(
      JobEntry winner, BiFunction<LosableJobs, JobEntry, LosableJobs.Answer> question) {
    if (losable == null || !isRoomLacking(winner)) {
      return LosableJobs.Answer.NONE;
    }
    LosableJobs.Answer known = question.apply(losable, winner);
    spared |= known.hasSpared();
    return known;
  }

  private boolean isRoomLacking(JobEntry winner) {
    return table.quotas().leaveOnlyRoomToDecide(winner)
        && winner.job().sharing() instanceof Sharing.Exclusive;
  }

  private Iterator<EvictionSearch.Candidate> losing(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner).withoutRightsFromLosses();
    return table.quotas().keepSome()
        ? ReclaimedJobs.losingWherever(table, winner, rules, this::isSpared)
        : ReclaimedJobs.losing(table, winner, rules, this::isSpared, lostTo(winner, rules));
  }

  private Iterator<EvictionSearch.Candidate> losingWherever(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner).withoutRightsFromLosses();
    return ReclaimedJobs.losingWherever(table, winner, rules, this::isSpared);
  }

  private Iterator<EvictionSearch.Candidate> losingNearestFirst(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner);
    return ReclaimedJobs.losingNearestFirst(
        table,
        winner,
        rules,
        this::isSpared,
        losable != null && isRoomLacking(winner)
            ? losable.lostToNearestFirst(winner, rules)
            : any -> null);
  }

  /** Returns what was found, when it was counted, of what queues lose to a job. */
  private Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> lostTo(
      JobEntry winner, Reclaim rules) {
    return losable != null && isRoomLacking(winner) ? losable.lostTo(winner, rules) : any -> null;
  }

  /**
   * Looks for who leaves of other parts of a queue that may hold no more, so that the winner may be
   * held in their stead.
   */
  private Optional<MadeRoom> reclaimBelowLimit(JobEntry winner) {
    if (!table.quotas().isKeptByLimitOfParents(winner)) {
      return Optional.empty();
    }
    Losses losses = new Losses(table);
    return new EvictionSearch<EvictionSearch.Candidate>(
            table.cluster(),
            QuotaPlacer.inShareBeyondLimits(forWinner, table.quotas(), winner),
            winner.job(),
            EvictionSearch.Limits.NONE,
            (placement, lost) -> keepsLimits(winner, placement, lost))
        .fewest(losingWherever(winner))
        .map(room -> new LeavingSearch.Result<>(room.placement(), losses.byJob(room.leaving())))
        .map(MadeRoom::of);
  }

  private boolean keepsLimits(
      JobEntry winner, Placement placement, List<? extends EvictionSearch.Candidate> lost) {
    Charge holds = table.quotas().charge(placement, table.cluster().topology());
    return without(winner, lost).filter(rules -> rules.keepsLimits(holds)).isPresent();
  }

  /** Looks for room for which jobs leave beside the winner, so that others owe it the rest. */
  private Optional<MadeRoom> reclaimNearestFirst(JobEntry winner) {
    Losses losses = new Losses(table);
    return new EvictionSearch<EvictionSearch.Candidate>(
            table.cluster(),
            QuotaPlacer.taking(forWinner, table.quotas(), winner, true),
            winner.job(),
            EvictionSearch.Limits.NONE,
            RoomCondition.of(
                (placement, lost) ->
                    isJust(winner, lost) && leavesWhatIsNotLent(winner, placement, lost)))
        .fewest(losingNearestFirst(winner))
        .map(room -> new LeavingSearch.Result<>(room.placement(), losses.byJob(room.leaving())))
        .map(this::soften);
  }

  /** Has those move who can, unless what they hold has to be given up. */
  private MadeRoom soften(LeavingSearch.Result<EvictionSearch.Candidate> room) {
    return table.quotas().keepSome()
        ? MadeRoom.of(room)
        : new Rehousing(table, placer, lost -> true).soften(room);
  }

  /** Returns whether a job takes nothing that others do not lend, once some are gone. */
  private boolean leavesWhatIsNotLent(
      JobEntry winner, Placement placement, List<? extends EvictionSearch.Candidate> lost) {
    Imagined use = Imagined.toAdmit();
    Losses losses = new Losses(table);
    lost.forEach(unit -> use.hold(Losses.job(unit).account(), losses.charge(unit), -1));
    return table.quotas().leavesWhatIsNotLent(winner, placement, table.cluster().topology(), use);
  }

  /**
   * Looks for room for which jobs of other queues move, and those that find no other place leave,
   * as far as that is just.
   */
  private Optional<MadeRoom> reclaimByMoving(JobEntry winner) {
    Rehousing rehousing = new Rehousing(table, placer, lost -> isJust(winner, lost));
    return new EvictionSearch<>(
            table.cluster(),
            QuotaPlacer.inShare(forWinner, table.quotas(), winner),
            winner.job(),
            Consolidation.LIMITS,
            rehousing)
        .fewest(
            ReclaimedJobs.moving(table, winner, table.quotas().reclaimFor(winner), this::isSpared))
        .flatMap(rehousing::complete);
  }

  private boolean isJust(JobEntry winner, List<? extends EvictionSearch.Candidate> lost) {
    return without(winner, lost).isPresent();
  }

  /** Returns the rules once others have lost something; empty if they may not. */
  private Optional<Reclaim> without(
      JobEntry winner, List<? extends EvictionSearch.Candidate> lost) {
    Losses losses = new Losses(table);
    Reclaim rules = table.quotas().reclaimFor(winner);
    for (EvictionSearch.Candidate unit : losses.units(lost)) {
      Charge charge = losses.charge(unit);
      if (!rules.mayLose(Losses.job(unit).account(), charge)) {
        return Optional.empty();
      }
      rules.lose(Losses.job(unit).account(), charge);
    }
    return Optional.of(rules);
  }

  private Optional<MadeRoom> preempt(JobEntry winner) {
    if (table.quotas().excess(winner).isPresent()) {
      return table.quotas().isKeptByLimit(winner) ? preemptInstead(winner) : Optional.empty();
    }
    if (losable != null && winner.shortage().task(winner) != null) {
      return Optional.empty();
    }
    if (!staysWithinShare(winner)) {
      return preemptInstead(winner);
    }
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    return search(
        winner,
        QuotaPlacer.taking(forWinner, table.quotas(), winner, false),
        preemptible(winner, job -> table.quotas().keepSome() || nodes.touch(job)));
  }

  private Optional<MadeRoom> preemptInstead(JobEntry winner) {
    PreemptionInstead search = new PreemptionInstead(table, forWinner, this::leavesWhatIsNotLent);
    return search.find(winner, () -> preemptible(winner, job -> true));
  }

  private Iterator<? extends EvictionSearch.Candidate> preemptible(
      JobEntry winner, Predicate<JobEntry> helps) {
    long rank = table.preemptsAbove(winner);
    return new Losses(table)
        .of(
            table
                .running()
                .preemptibleBeside(winner)
                .takeWhile(job -> job.rank() > rank)
                .filter(job -> helps.test(job) && !isSpared(job))
                .iterator());
  }

  /** Returns whether nobody takes back what a job gets, wherever it starts. */
  private boolean staysWithinShare(JobEntry winner) {
    return table.quotas().reclaiming() == Reclaiming.NEVER
        || (table.quotas().mayReclaim(winner) && !winner.job().parallelism().isElastic());
  }

  private boolean isSpared(JobEntry job) {
    boolean isNew = !started.isEmpty() && started.contains(job);
    spared |= isNew;
    return isNew;
  }

  private Optional<MadeRoom> search(
      JobEntry winner, Placer within, Iterator<? extends EvictionSearch.Candidate> victims) {
    Losses losses = new Losses(table);
    EvictionSearch.@Nullable Acceptance<EvictionSearch.Candidate> leavesRest =
        table.quotas().keepSome()
            ? RoomCondition.of((placement, lost) -> leavesWhatIsNotLent(winner, placement, lost))
            : null;
    return victims.hasNext()
        ? new EvictionSearch<EvictionSearch.Candidate>(
                table.cluster(), within, winner.job(), EvictionSearch.Limits.NONE, leavesRest)
            .fewest(victims)
            .map(room -> new LeavingSearch.Result<>(room.placement(), losses.byJob(room.leaving())))
            .map(this::soften)
        : Optional.empty();
  }
}
