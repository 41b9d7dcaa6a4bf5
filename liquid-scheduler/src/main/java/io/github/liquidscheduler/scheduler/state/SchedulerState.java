package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationState;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one owner of everything that outlasts a turn, saved and loaded by named sections; what is
 * not in a section is a cache.
 * Invariants: load(save()) continues with the same decisions (RecoveryLaws, SnapshotTest);
 * sections load in their order, each checked against those before it; unknown sections survive a
 * round trip; a rollback returns to the state at its mark (FailingPartsLaws, WhatIfLaws). Marks
 * nest, so that a what-if plays whole turns in place.
 * Cost: mark O(reservations + jobs of an unfinished pass); a rollback O(jobs that have changed),
 * with backfill O(nodes + running jobs); copy O(nodes + jobs); save and load O(nodes + jobs + ended
 * jobs).
 */
/**
 * The whole state that a scheduler carries from one event to the next: clock, jobs, cluster, node
 * failures, batch window and observations of jobs that share GPUs. Stages read and change it and
 * hold no state themselves.
 */
public final class SchedulerState {

  /** The version of the sections' format. */
  private static final int VERSION = 1;

  private final JobTable jobs;
  private final NodeFailures failures;
  private final List<StateSection> sections;
  private final Map<String, SnapshotSection> unknown = new LinkedHashMap<>();
  private @Nullable ColocationState colocation;
  private @Nullable BackfillPlan backfill;
  private @Nullable DataBooks data;
  // At each open mark, innermost first.
  private final Deque<ClusterTopology> topologies = new ArrayDeque<>();

  /**
   * Makes the state of a scheduler before its first event.
   *
   * @param parameters the scheduler's parameters by name
   * @param options the co-location options; null if jobs share no GPUs
   * @param backfill the reservations; null without backfill
   * @param data the copies of data sets; null if they do not matter
   */
  public SchedulerState(
      JobTable jobs,
      Map<String, String> parameters,
      @Nullable Colocation options,
      @Nullable BackfillPlan backfill,
      @Nullable DataBooks data) {
    this(
        jobs,
        new NodeFailures(jobs.cluster()),
        sections(jobs, parameters, options, backfill != null, data != null));
    this.backfill = backfill;
    setData(data);
    if (options != null) {
      observe(ColocationState.empty());
    }
  }

  private SchedulerState(JobTable jobs, NodeFailures failures, List<StateSection> sections) {
    this.jobs = jobs;
    this.failures = failures;
    this.sections = sections;
  }

  private static List<StateSection> sections(
      JobTable jobs,
      Map<String, String> parameters,
      @Nullable Colocation options,
      boolean isBackfilled,
      boolean knowsData) {
    List<StateSection> sections = new ArrayList<>();
    sections.add(new ParametersSection(parameters));
    sections.add(new EndedSection());
    sections.add(new QueuesSection());
    sections.add(new JobsSection());
    sections.add(new FailuresSection());
    sections.add(new MovesSection());
    if (jobs.isBatched()) {
      sections.add(new WindowSection());
    }
    sections.add(new PlanSection());
    if (options != null) {
      sections.add(new ColocationSection(options.predictor()));
    }
    if (isBackfilled) {
      sections.add(new AnnouncedSection());
      sections.add(new ReservationsSection());
    }
    if (knowsData) {
      sections.add(new DataSection());
    }
    sections.add(new ClusterSection(parameters.containsKey("searchesPerEvent")));
    return sections;
  }

  /** Returns the waiting, running and ended jobs, and the clock. */
  public JobTable jobs() {
    return jobs;
  }

  /** Returns the cluster with placements and free capacity. */
  public ClusterState cluster() {
    return jobs.cluster();
  }

  /** Returns the draining or lost nodes and GPUs. */
  public NodeFailures failures() {
    return failures;
  }

  /** Returns the batch window; idle without batch mode. */
  public BatchedJobs window() {
    return jobs.batched();
  }

  /** Returns the observations of jobs that share GPUs; empty if they are not monitored. */
  public Optional<ColocationState> colocation() {
    return Optional.ofNullable(colocation);
  }

  /** Returns the reservations for waiting jobs; empty without backfill. */
  public Optional<BackfillPlan> backfill() {
    return Optional.ofNullable(backfill);
  }

  /** Returns the copies of data sets by node; empty if they do not matter. */
  public Optional<DataBooks> data() {
    return Optional.ofNullable(data);
  }

  void setData(@Nullable DataBooks books) {
    data = books;
    if (books != null) {
      cluster().knowCopies((node, dataset) -> books.isThereSoon(new CopyKey(node, dataset.name())));
    }
  }

  /** Sets the observations of jobs that share GPUs, for placers too. */
  public void observe(ColocationState observed) {
    colocation = observed;
    cluster().observe(observed.observations());
  }

  /**
   * Returns an independent copy: what loading a save yields, without its text; O(nodes + jobs). Not
   * while a mark is open.
   *
   * @param plan makes an empty plan of reservations for the copied jobs; null without backfill
   */
  public SchedulerState copy(@Nullable Function<JobTable, BackfillPlan> plan) {
    JobTable copied = jobs.emptyCopy();
    SchedulerState copy = new SchedulerState(copied, failures.copy(copied.cluster()), sections);
    copy.unknown.putAll(unknown);
    copy.backfill = plan == null ? null : plan.apply(copied);
    sections.forEach(section -> section.copy(this, copy));
    copied.queues().arrange();
    return copy;
  }

  /** Opens a mark, to which {@link #rollBack} returns. Marks nest. */
  public void mark() {
    topologies.push(cluster().topology());
    jobs.savepoints().mark();
    failures.mark();
    if (colocation != null) {
      colocation.mark();
    }
    if (backfill != null) {
      backfill.mark();
    }
    if (data != null) {
      data.mark();
    }
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    topologies.pop();
    jobs.savepoints().commit();
    failures.commit();
    if (colocation != null) {
      colocation.commit();
    }
    if (backfill != null) {
      backfill.commit();
    }
    if (data != null) {
      data.commit();
    }
  }

  /** Returns to the innermost mark and ends it; true if nodes were added or removed since. */
  public boolean rollBack() {
    cluster().trials().endAll();
    jobs.savepoints().takeOutChanged();
    boolean hasOtherNodes = rollBackTopology(topologies.pop());
    boolean hasOtherHealth = failures.rollBack();
    jobs.savepoints().rollBack(hasOtherNodes || hasOtherHealth);
    if (colocation != null) {
      colocation.rollBack();
      observe(colocation);
    }
    if (backfill != null) {
      backfill.rollBack();
    }
    if (data != null) {
      data.rollBack();
    }
    return hasOtherNodes;
  }

  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  private boolean rollBackTopology(ClusterTopology then) {
    if (then == cluster().topology()) {
      return false;
    }
    cluster().changeTopology(then);
    return true;
  }

  /** Returns the state as a value. */
  public SchedulerSnapshot save() {
    Map<String, SnapshotSection> saved = new LinkedHashMap<>();
    for (StateSection section : sections) {
      SnapshotSection values = section.save(this);
      if (!section.mayBeMissing() || !values.values().isEmpty()) {
        saved.put(section.name(), values);
      }
    }
    saved.putAll(unknown);
    return new SchedulerSnapshot(VERSION, jobs.now(), saved);
  }

  /**
   * Loads a snapshot into this state, which has seen no event. Unknown sections are kept and saved
   * again.
   *
   * @throws IllegalArgumentException if a section is missing or contradicts itself or another, or
   *     the snapshot is of another version or of other parameters
   */
  public void load(SchedulerSnapshot snapshot) {
    if (snapshot.version() != VERSION) {
      throw new IllegalArgumentException(
          "a snapshot must be of version %d, but was of version %d"
              .formatted(VERSION, snapshot.version()));
    }
    jobs.restoreClock(snapshot.now(), 0);
    unknown.putAll(snapshot.sections());
    for (StateSection section : sections) {
      boolean isThere = unknown.remove(section.name()) != null;
      if (isThere || !section.mayBeMissing()) {
        snapshot.section(section.name()).readAll(in -> section.load(in, this));
      }
    }
    jobs.queues().arrange();
  }
}
