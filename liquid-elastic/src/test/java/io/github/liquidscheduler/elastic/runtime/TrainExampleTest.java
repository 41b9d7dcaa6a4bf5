package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.lease.InMemoryLeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code tools/elastic/train_example.py} where PyTorch is installed: a real model, on CPUs.
 */
@Tag("pytorch")
class TrainExampleTest {
  private static final int SAMPLES = 4096;

  @TempDir Path folder;

  @Test
  @Timeout(240)
  void aModelWhoseWorkerWasKilledEqualsOneThatSawTheSameBatchesUndisturbed() throws Exception {
    String python = pythonWithTorch();
    assumeTrue(!python.isEmpty(), "needs PyTorch");

    try (ElasticAgent agent = agent();
        Spawned ann = worker(python, agent, "ann");
        Spawned bob = worker(python, agent, "bob");
        Spawned cem = worker(python, agent, "cem")) {
      cem.await(15, line -> line.startsWith("applied "));
      cem.kill();
      ann.await(1, line -> line.startsWith("loss "));
      bob.await(1, line -> line.startsWith("loss "));

      PrintedTraining printed = new PrintedTraining(Map.of("ann", ann, "bob", bob, "cem", cem));
      printed.checkEachSampleCountsOnce(SAMPLES);
      assertThat(loss(ann)).isEqualTo(loss(bob));
      assertThat(loss(ann)).isCloseTo(replay(python, ann, bob, cem), within(1e-6));
    }
  }

  private ElasticAgent agent() throws IOException {
    ElasticOptions options =
        ElasticOptions.builder().initialWorkers(3).suspectAfter(Duration.ofSeconds(20)).build();
    TrainingJob job =
        new TrainingJob(
            "job",
            new InMemoryLeaseStore(InstantSource.system()),
            new Partitioning(SAMPLES, 48, 32, 5),
            options);
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return ElasticAgent.start(job, loopback, answer -> {});
  }

  private Spawned worker(String python, ElasticAgent agent, String name) throws IOException {
    return Spawned.python(
        python, "train_example.py", Integer.toString(agent.port()), name, folder.toString(), "20");
  }

  private static double loss(Spawned worker) {
    return Double.parseDouble(worker.printed("loss").getFirst()[1]);
  }

  private double replay(String python, Spawned... workers) throws Exception {
    for (int worker = 0; worker < workers.length; worker++) {
      Files.write(folder.resolve(worker + ".log"), workers[worker].lines());
    }
    try (Spawned replay = Spawned.python(python, "replay_example.py", folder.toString())) {
      replay.awaitEnd();
      return Double.parseDouble(replay.lines().getLast());
    }
  }

  private static String pythonWithTorch() throws InterruptedException {
    if (hasTorch("python3")) {
      return "python3";
    }
    return hasTorch("/usr/bin/python3") ? "/usr/bin/python3" : "";
  }

  private static boolean hasTorch(String python) throws InterruptedException {
    String find = "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)";
    try {
      return new ProcessBuilder(python, "-c", find).start().waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
