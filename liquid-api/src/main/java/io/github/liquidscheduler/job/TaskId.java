package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;

/**
 * The identity of a task within its job: the role and the number within the role.
 *
 * @param role the name of the role, not blank
 * @param index the number of the task within the role, from 0
 */
public record TaskId(String role, int index) {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code role} is blank or not Unicode or {@code index} is
   *     negative
   */
  public TaskId {
    Text.requireName(role, "a task's role");
    if (index < 0) {
      throw new IllegalArgumentException(
          "a task's index must not be negative, but was " + index + ", for role '" + role + "'");
    }
  }

  /** Returns the role and index, such as {@code worker/3}. */
  @Override
  public String toString() {
    return role + "/" + index;
  }
}
