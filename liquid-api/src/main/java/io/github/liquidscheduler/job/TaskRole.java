package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;
import java.util.Objects;

/**
 * A group of equal tasks of a job, such as its workers or its parameter servers.
 *
 * @param name the name of the role, not blank, unique in its job
 * @param count the number of tasks, from 1 to {@value #MAX_TASKS}
 * @param request what each task asks for
 */
public record TaskRole(String name, int count, ResourceRequest request) {

  /** The largest number of tasks in one role. */
  public static final int MAX_TASKS = 1_000_000;

  /**
   * Checks the role.
   *
   * @throws IllegalArgumentException if {@code name} is blank or not Unicode or {@code count} is
   *     out of range
   */
  public TaskRole {
    Objects.requireNonNull(request, "request");
    Text.requireName(name, "a role's name");
    if (count < 1 || count > MAX_TASKS) {
      throw new IllegalArgumentException(
          "a role's count must be from 1 to "
              + MAX_TASKS
              + ", but was "
              + count
              + ", for role '"
              + name
              + "'");
    }
  }

  /** Returns the GPUs of all tasks together; a share counts as one GPU. */
  public int gpus() {
    return Math.multiplyExact(count, request.gpus());
  }
}
