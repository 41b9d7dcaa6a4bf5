package io.github.liquidscheduler.reconcile;

import java.util.Objects;
import java.util.Optional;

/**
 * What the manager answered to a command.
 *
 * @param refused why it was refused, in the manager's words; empty if it was carried out
 */
public record Confirmation(Command command, Optional<String> refused) {
  /** Checks that nothing is null. */
  public Confirmation {
    Objects.requireNonNull(command, "command");
    Objects.requireNonNull(refused, "refused");
  }

  /** Makes the confirmation of a command that was carried out. */
  public Confirmation(Command command) {
    this(command, Optional.empty());
  }
}
