package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationState;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one owner of everything that outlasts a turn, saved and loaded by named sections; what is
 * not in a section is a cache.
 * Invariants: load(save()) continues with the same decisions (RecoveryLaws, SnapshotTest);
 * sections load in their order, each checked against those before it; unknown sections survive a
 * round trip; asBefore equals the state at begin (FailingPartsLaws).
 * Cost: begin O(reservations + jobs of an unfinished pass); copy and asBefore O(nodes + jobs);
 * save and load O(nodes + jobs + ended jobs).
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
  private ClusterTopology topology;

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
    topology = jobs.cluster().topology();
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
    sections.add(new ClusterSection());
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

  private void setData(@Nullable DataBooks books) {
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

  /** Returns an independent copy; O(nodes + jobs). Not during an event. */
  public SchedulerState copy() {
    JobTable copied = jobs.copy();
    SchedulerState copy = new SchedulerState(copied, failures.copy(copied.cluster()), sections);
    copy.unknown.putAll(unknown);
    if (colocation != null) {
      copy.observe(colocation.copy());
    }
    copy.backfill = backfill == null ? null : backfill.copy(copied);
    copy.setData(data == null ? null : data.copy());
    copied.arrangeQueues();
    return copy;
  }

  /** Begins a turn; {@link #asBefore} returns to this state. */
  public void begin() {
    jobs.begin();
    failures.begin();
    if (colocation != null) {
      colocation.begin();
    }
    if (backfill != null) {
      backfill.begin();
    }
    if (data != null) {
      data.begin();
    }
    topology = cluster().topology();
  }

  /** Ends a turn: its before-images are no longer needed. */
  public void settle() {
    jobs.settle();
  }

  /** Returns the state before the turn, which replaces this one; O(nodes + jobs). */
  public SchedulerState asBefore(NetworkParameters network) {
    JobTable then = jobs.asBefore(ClusterState.of(topology, network));
    SchedulerState state = new SchedulerState(then, failures.asBefore(then.cluster()), sections);
    state.unknown.putAll(unknown);
    if (colocation != null) {
      colocation.rollBack();
      state.observe(colocation);
    }
    state.backfill = backfill == null ? null : backfill.asBefore(then);
    state.setData(data == null ? null : data.asBefore());
    then.measureQueues();
    then.arrangeQueues();
    return state;
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
    jobs.arrangeQueues();
  }
}
