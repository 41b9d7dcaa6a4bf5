package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CommunicationTest {

  @Test
  void noPatternSendsLessThanNothing() {
    String message = "bytes per iteration must not be negative, but was -1";

    refuses(() -> new Communication.AllReduce(-1), message);
    refuses(() -> new Communication.Pipeline(-1), message);
    refuses(() -> new Communication.AllToAll(-1), message);
    refuses(() -> new Communication.TensorParallel(2, -1), message);
    refuses(() -> new Communication.ParameterServer("ps", "worker", -1), message);
  }

  @Test
  void serversAndWorkersAreTwoRoles() {
    refuses(
        () -> new Communication.ParameterServer("ps", "ps", 1),
        "parameter servers and workers must be two roles, but both were 'ps'");
  }

  @Test
  void aTensorParallelGroupHasAtLeastTwoGpus() {
    refuses(
        () -> new Communication.TensorParallel(1, 1),
        "a tensor-parallel group must have at least 2 GPUs, but had 1");
  }

  @Test
  void aCombinationHasPartsThatAreNotCombinedThemselves() {
    Communication inner = new Communication.Combined(List.of(new Communication.None()));

    refuses(
        () -> new Communication.Combined(List.of()),
        "a combined pattern needs at least one part, none combined itself, but had []");
    refuses(
        () -> new Communication.Combined(List.of(inner)),
        "a combined pattern needs at least one part, none combined itself, but had"
            + " [Combined[parts=[None[]]]]");
  }

  private static void refuses(ThrowingCallable pattern, String message) {
    assertThatIllegalArgumentException().isThrownBy(pattern).withMessage(message);
  }
}
