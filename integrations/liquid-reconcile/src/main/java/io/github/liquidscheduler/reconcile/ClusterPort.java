package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A cluster manager as the reconciler sees it. Nothing in it decides; what a manager cannot do is
 * missing from its {@linkplain #features() features}. Called by one thread at a time, except for
 * {@link #close}.
 */
public interface ClusterPort extends AutoCloseable {

  /**
   * Returns everything as it is at one moment.
   *
   * @throws IOException if a part of it could not be read; nothing is known then
   */
  Observation observe() throws IOException;

  /**
   * Asks for one job that an observation does not show any more, also where ended jobs are kept.
   *
   * @param job the job by the manager's id
   * @return the job; empty if the manager answers that it knows no such job
   * @throws IOException if there is no answer
   */
  Optional<ObservedJob> lookUp(JobId job) throws IOException;

  /**
   * Carries out commands in order. Each is idempotent: one whose effect is there already is
   * confirmed. It is about the job that was last shown under its id: where another job has the id
   * by now, it is refused, as far as the manager lets one know before it writes.
   *
   * @return one confirmation for each, in their order, once the manager has answered all; failed
   *     with an {@link IOException} if it is not known which were carried out
   */
  CompletionStage<List<Confirmation>> carryOut(List<Command> commands);

  /**
   * Calls back, on any thread, when something may have changed. A hint only: a port may never call.
   */
  void onChange(Runnable look);

  /** Returns what the manager can do beside starting jobs, stopping and holding them. */
  Set<Feature> features();

  @Override
  void close();

  /** What only some managers can do. */
  enum Feature {
    /** A running job gets smaller and stays running. */
    SHRINK,
    /** A running job gets larger and stays running. */
    GROW,
    /** A job that is to stop hears of it, and has time to. */
    GRACE
  }
}
