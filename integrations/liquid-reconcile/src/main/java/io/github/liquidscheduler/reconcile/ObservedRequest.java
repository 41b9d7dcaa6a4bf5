package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobSpec;
import java.util.List;
import java.util.Objects;

/** What a job of the manager asks for, in the scheduler's terms. */
public sealed interface ObservedRequest {

  /**
   * It can be told to a scheduler.
   *
   * @param spec the job under the manager's id, {@linkplain JobSpec#isPreemptible() pre-emptible}
   *     only if the manager can start it again
   * @param ignored what its user wrote that has no meaning here, as sentences without full stops
   */
  record Understood(JobSpec spec, List<String> ignored) implements ObservedRequest {
    /** Copies the list. */
    public Understood {
      Objects.requireNonNull(spec, "spec");
      ignored = List.copyOf(ignored);
    }
  }

  /**
   * It asks for what is not supported.
   *
   * @param why what, and what to ask for instead, for its user
   */
  record Unsupported(String why) implements ObservedRequest {
    /** Checks that nothing is null. */
    public Unsupported {
      Objects.requireNonNull(why, "why");
    }
  }
}
