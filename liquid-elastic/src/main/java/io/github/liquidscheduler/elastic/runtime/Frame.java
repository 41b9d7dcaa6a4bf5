package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import io.github.liquidscheduler.elastic.protocol.ToWorker;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of JSON between a training process, its agent and the leading agent. None holds what it
 * must not: they are made of what others send.
 */
sealed interface Frame {

  /** From a training process, first of all: asks to train under this name. */
  record Join(WorkerId worker, @Nullable String token) implements Frame {
    public Join {
      Objects.requireNonNull(worker, "worker");
    }

    /** Returns one that knows no token. */
    static Join of(WorkerId worker) {
      return new Join(worker, null);
    }
  }

  /** From an agent to the leading one, first of all; the agent is named by what none can guess. */
  record Hello(String agent, @Nullable String token) implements Frame {
    public Hello {
      Objects.requireNonNull(agent, "agent");
    }
  }

  /** From a training process: libraries, data and device memory are prepared. */
  record Ready() implements Frame {}

  /** From a training process: the gradients of a mini-batch are summed. */
  record BatchEnd(long topology, long step, double computeSeconds) implements Frame {
    private static final double CENTURY = 36_525 * 86_400.0;

    public BatchEnd {
      if (!(computeSeconds >= 0 && computeSeconds <= CENTURY)) {
        throw new IllegalArgumentException(
            "computeSeconds must be from 0 to a century, but was " + computeSeconds);
      }
    }
  }

  /** From a training process: the gradients of a mini-batch could not be summed. */
  record BatchFailed(long topology, long step) implements Frame {}

  /** From a training process: asks to exit gracefully. */
  record Leave() implements Frame {}

  /** To a training process: train this mini-batch. */
  record Run(
      long topology,
      List<WorkerId> members,
      @Nullable WorkerId broadcaster,
      List<WorkerId> receivers,
      boolean switched,
      long step,
      SampleRange batch,
      boolean committed,
      long switchAt)
      implements Frame {}

  /** To a training process: train no more. */
  record Stop(ToWorker.StopReason reason, boolean committed) implements Frame {}

  /** From an agent to the leading one. */
  record ForLeader(ToLeader message) implements Frame {
    public ForLeader {
      Objects.requireNonNull(message, "message");
    }
  }

  /** From the leading agent to that of a worker. */
  record ForWorker(WorkerId worker, ToWorker message) implements Frame {
    public ForWorker {
      Objects.requireNonNull(worker, "worker");
      Objects.requireNonNull(message, "message");
    }
  }

  /** From an agent, for the cluster scheduler, to the leading one. */
  record Request(ScalingRequest request) implements Frame {
    public Request {
      Objects.requireNonNull(request, "request");
    }
  }

  /** From the leading agent to all others, for the cluster scheduler. */
  record Answer(ScalingAnswer answer) implements Frame {
    public Answer {
      Objects.requireNonNull(answer, "answer");
    }
  }
}
