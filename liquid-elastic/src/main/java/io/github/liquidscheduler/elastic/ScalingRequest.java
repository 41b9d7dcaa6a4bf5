package io.github.liquidscheduler.elastic;

import java.util.List;
import java.util.Objects;

/** A request of a cluster scheduler to an elastic job, with an id that its answers name. */
public sealed interface ScalingRequest {

  /** Returns the id, chosen by who asks, never used twice. */
  String id();

  /** Add workers, which will register and may still have to start. */
  record ScaleOut(String id, List<WorkerId> workers) implements ScalingRequest {
    /** Checks the id and copies the list. */
    public ScaleOut {
      checkId(id);
      workers = List.copyOf(workers);
    }
  }

  /** Let workers exit gracefully, at an agreed mini-batch. */
  record ScaleIn(String id, List<WorkerId> workers) implements ScalingRequest {
    /** Checks the id and copies the list. */
    public ScaleIn {
      checkId(id);
      workers = List.copyOf(workers);
    }
  }

  /** Replace workers by others, which will register, in one switch. */
  record Migrate(String id, List<WorkerId> from, List<WorkerId> to) implements ScalingRequest {
    /** Checks the id and copies the lists. */
    public Migrate {
      checkId(id);
      from = List.copyOf(from);
      to = List.copyOf(to);
    }
  }

  /** Withdraw the request of that id, whose switch is not yet decided. */
  record Cancel(String id) implements ScalingRequest {
    /** Checks the id. */
    public Cancel {
      checkId(id);
    }
  }

  /** No GPU can replace a straggler: it is let go if the others are faster without it. */
  record NoReplacement(String id, WorkerId worker) implements ScalingRequest {
    /** Checks the id. */
    public NoReplacement {
      checkId(id);
      Objects.requireNonNull(worker, "worker");
    }
  }

  private static void checkId(String id) {
    int longest = 1024;
    if (Objects.requireNonNull(id, "id").isBlank() || id.length() > longest) {
      throw new IllegalArgumentException(
          "The id of a request must not be blank and have at most %d characters, but was '%.64s'"
              .formatted(longest, id));
    }
  }
}
