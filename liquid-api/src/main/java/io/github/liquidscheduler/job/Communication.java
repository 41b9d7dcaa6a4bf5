package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Objects;

/** The pattern and the amount of data that a job's tasks exchange in each iteration. */
public sealed interface Communication {

  /** Returns the pattern of tasks that exchange nothing. */
  static Communication none() {
    return new None();
  }

  /**
   * Returns the pattern of workers that use parameter servers.
   *
   * @param serverRole the role of the parameter servers
   * @param workerRole the role of the workers, another one
   * @param perIteration what one worker sends in one iteration (it receives as much)
   */
  static Communication parameterServer(String serverRole, String workerRole, Memory perIteration) {
    return new ParameterServer(serverRole, workerRole, perIteration.bytes());
  }

  /** Returns the pattern of GPUs that sum a buffer of this size in each iteration. */
  static Communication allReduce(Memory perIteration) {
    return new AllReduce(perIteration.bytes());
  }

  /** Returns the pattern of tasks that send this much to the next task in each iteration. */
  static Communication pipeline(Memory perIteration) {
    return new Pipeline(perIteration.bytes());
  }

  /** Returns the pattern of GPUs that each send this much to all others in each iteration. */
  static Communication allToAll(Memory perIteration) {
    return new AllToAll(perIteration.bytes());
  }

  /** Returns the pattern of groups of GPUs that sum this much in each iteration. */
  static Communication tensorParallel(int groupSize, Memory perIteration) {
    return new TensorParallel(groupSize, perIteration.bytes());
  }

  /** Returns several patterns in one iteration, one after the other. */
  static Communication combined(Communication... parts) {
    return new Combined(List.of(parts));
  }

  /** The tasks exchange nothing worth counting. */
  record None() implements Communication {}

  /**
   * Each worker pushes gradients to, and pulls parameters from, the servers, which split the model
   * between them.
   *
   * @param serverRole the role of the parameter servers
   * @param workerRole the role of the workers
   * @param bytesPerIteration bytes that one worker sends in one iteration (it receives as many), at
   *     least 0
   */
  record ParameterServer(String serverRole, String workerRole, long bytesPerIteration)
      implements Communication {
    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if the roles are equal or the bytes are negative
     */
    public ParameterServer {
      Objects.requireNonNull(serverRole, "serverRole");
      Objects.requireNonNull(workerRole, "workerRole");
      requireBytes(bytesPerIteration);
      if (serverRole.equals(workerRole)) {
        throw new IllegalArgumentException(
            "parameter servers and workers must be two roles, but both were '" + serverRole + "'");
      }
    }
  }

  /**
   * All GPUs of the job sum a buffer, by a ring inside a node or domain and hierarchically above.
   *
   * @param bytesPerIteration size of the reduced buffer in bytes, at least 0
   */
  record AllReduce(long bytesPerIteration) implements Communication {
    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if the bytes are negative
     */
    public AllReduce {
      requireBytes(bytesPerIteration);
    }
  }

  /**
   * Each task sends activations to the next task, in the order of roles and indices, and gradients
   * back.
   *
   * @param bytesPerIteration bytes that cross each boundary in one iteration, in each direction, at
   *     least 0
   */
  record Pipeline(long bytesPerIteration) implements Communication {
    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if the bytes are negative
     */
    public Pipeline {
      requireBytes(bytesPerIteration);
    }
  }

  /**
   * Every GPU sends to every other, as in mixtures of experts.
   *
   * @param bytesPerIteration bytes that each GPU sends in one iteration, to all others together, at
   *     least 0
   */
  record AllToAll(long bytesPerIteration) implements Communication {
    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if the bytes are negative
     */
    public AllToAll {
      requireBytes(bytesPerIteration);
    }
  }

  /**
   * Groups of consecutive GPUs sum activations within each layer; meant to stay in one NVLink
   * domain.
   *
   * @param groupSize GPUs in a group, at least 2
   * @param bytesPerIteration bytes summed in each group in one iteration, at least 0
   */
  record TensorParallel(int groupSize, long bytesPerIteration) implements Communication {
    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if the group is smaller than 2 or the bytes are negative
     */
    public TensorParallel {
      requireBytes(bytesPerIteration);
      if (groupSize < 2) {
        throw new IllegalArgumentException(
            "a tensor-parallel group must have at least 2 GPUs, but had " + groupSize);
      }
    }
  }

  /**
   * Several patterns in one iteration, one after the other.
   *
   * @param parts the patterns, at least one, none of them combined itself
   */
  record Combined(List<Communication> parts) implements Communication {
    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if there is no part or a part is itself combined
     */
    public Combined {
      parts = List.copyOf(parts);
      if (parts.isEmpty() || parts.stream().anyMatch(Combined.class::isInstance)) {
        throw new IllegalArgumentException(
            "a combined pattern needs at least one part, none combined itself, but had " + parts);
      }
    }
  }

  private static void requireBytes(long bytesPerIteration) {
    if (bytesPerIteration < 0) {
      throw new IllegalArgumentException(
          "bytes per iteration must not be negative, but was " + bytesPerIteration);
    }
  }
}
