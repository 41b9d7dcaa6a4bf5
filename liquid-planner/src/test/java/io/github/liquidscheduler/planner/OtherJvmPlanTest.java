package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.planning.PlanRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same seed and the same limit of steps give the same plan, in whichever JVM. */
@Tag("other-jvm")
class OtherJvmPlanTest {

  @Test
  void anotherJvmPlansTheSame() throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process other =
        new ProcessBuilder(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvmPlanTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String plans = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(other.waitFor()).isZero();
    assertThat(plans).isEqualTo(plans());
  }

  /** Prints some plans. */
  public static void main(String[] arguments) {
    System.out.print(plans());
  }

  private static String plans() {
    StringBuilder plans = new StringBuilder();
    for (long seed = 0; seed < 20; seed++) {
      PlanScenario scenario = new PlanScenario(seed);
      PlanRequest request = scenario.request(3000);
      plans.append(BatchPlanners.timefold().plan(request)).append('\n');
    }
    return plans.toString();
  }
}
