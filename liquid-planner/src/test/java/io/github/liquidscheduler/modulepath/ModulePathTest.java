package io.github.liquidscheduler.modulepath;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.LiveCluster;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The planner as a module among modules, with no flag but where they are. */
@Tag("other-jvm")
class ModulePathTest {

  private static final String MODULE = "io.github.liquidscheduler.planner";

  /** What Micrometer, which Timefold requires, needs without a descriptor to say so. */
  private static final List<String> UNSAID =
      List.of("micrometer.commons", "micrometer.observation", "HdrHistogram", "LatencyUtils");

  @Test
  void plansAreMadeOnTheModulePath() throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                modulePath(),
                "--add-modules",
                MODULE,
                "-cp",
                testClasses(),
                ModulePathTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(java.waitFor()).as(printed).isZero();
    assertThat(printed).contains("module " + MODULE + " started 4 of 4");
  }

  /** Returns where the planner's module and all that it requires are. */
  private static String modulePath() {
    Map<String, ModuleReference> known = new LinkedHashMap<>();
    for (String entry :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      ModuleFinder.of(Path.of(entry))
          .findAll()
          .forEach(module -> known.putIfAbsent(module.descriptor().name(), module));
    }
    Set<String> paths = new LinkedHashSet<>();
    Deque<String> required = new ArrayDeque<>(UNSAID);
    required.add(MODULE);
    while (!required.isEmpty()) {
      ModuleReference module = known.remove(required.remove());
      if (module != null) {
        paths.add(Path.of(module.location().orElseThrow()).toString());
        module.descriptor().requires().stream()
            .filter(other -> !other.modifiers().contains(Requires.Modifier.STATIC))
            .forEach(other -> required.add(other.name()));
      }
    }
    return String.join(File.pathSeparator, paths);
  }

  private static String testClasses() {
    URL location = ModulePathTest.class.getProtectionDomain().getCodeSource().getLocation();
    return Path.of(URI.create(location.toString())).toString();
  }

  /** Plans a few gangs. */
  public static void main(String[] arguments) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 2; node++) {
      cluster.node(Node.builder("n" + node).gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build());
    }
    PlanRequest.Builder request =
        PlanRequest.builder(LiveCluster.of(cluster.build()).view())
            .options(PlanOptions.builder().steps(500).build());
    for (int job = 0; job < 4; job++) {
      request.pending(
          JobSpec.builder("job-" + job)
              .role("worker", 2, ResourceRequest.ofGpus(1))
              .communication(new Communication.AllReduce(1_000_000_000))
              .build());
    }
    BatchPlan plan = BatchPlanners.timefold().plan(request.build());
    System.out.printf(
        "%s started %d of 4%n", BatchPlanners.class.getModule(), plan.starts().size());
  }
}
