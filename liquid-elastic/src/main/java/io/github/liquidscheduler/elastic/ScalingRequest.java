package io.github.liquidscheduler.elastic;

import java.util.List;

/** A request of a cluster scheduler to an elastic job, with an id that its answers name. */
public sealed interface ScalingRequest {

  /** Returns the id, chosen by who asks, never used twice. */
  String id();

  /** Add workers, which will register and may still have to start. */
  record ScaleOut(String id, List<WorkerId> workers) implements ScalingRequest {
    /** Copies the list. */
    public ScaleOut {
      workers = List.copyOf(workers);
    }
  }

  /** Let workers exit gracefully, at an agreed mini-batch. */
  record ScaleIn(String id, List<WorkerId> workers) implements ScalingRequest {
    /** Copies the list. */
    public ScaleIn {
      workers = List.copyOf(workers);
    }
  }

  /** Replace workers by others, which will register, in one switch. */
  record Migrate(String id, List<WorkerId> from, List<WorkerId> to) implements ScalingRequest {
    /** Copies the lists. */
    public Migrate {
      from = List.copyOf(from);
      to = List.copyOf(to);
    }
  }

  /** Withdraw the request of that id, whose switch is not yet decided. */
  record Cancel(String id) implements ScalingRequest {}

  /** No GPU can replace a straggler: it is let go if the others are faster without it. */
  record NoReplacement(String id, WorkerId worker) implements ScalingRequest {}
}
