package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.ModelFamilies;
import io.github.liquidscheduler.estimator.task.prior.ModelFamily;
import io.github.liquidscheduler.job.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes up jobs like those that Liquid was trained on: five families of convolutional networks in
 * parameter-server jobs of random size, with random hyper-parameters, on GPUs of 11 GiB. A worker's
 * device memory is that of its parameters and of its batch, the latter times a factor of the family
 * that no table knows (.5 to .9), plus a process and, for one pair of family and batch in five, a
 * workspace of up to 1 GiB (which the same pair always has); a parameter server holds two copies of
 * the parameters. The noise is a log-normal factor with a standard deviation of 8 %.
 */
final class GeneratedJobs {
  private static final List<String> FAMILIES =
      List.of("vgg16", "resnet50", "inception3", "alexnet", "googlenet");
  private static final double[] HIDDEN = {0.8, 0.6, 0.7, 0.9, 0.5};
  private static final double MOST_BYTES = 11.0 * (1L << 30);
  private static final double PROCESS_BYTES = 600.0 * (1 << 20);
  private static final double NOISE = 0.08;
  private static final double WORKSPACE_SHARE = 0.2;
  private static final int BATCHES = 4;

  private final SplittableRandom random;
  private final double[] workspaces = new double[FAMILIES.size() * BATCHES];

  /** Makes a generator whose jobs follow from {@code seed}. */
  GeneratedJobs(long seed) {
    random = new SplittableRandom(seed);
    for (int pair = 0; pair < workspaces.length; pair++) {
      double size = random.nextDouble() * (1L << 30);
      workspaces[pair] = random.nextDouble() < WORKSPACE_SHARE ? size : 0;
    }
  }

  /** Returns the next {@code count} tasks, each of a job of its own. */
  List<ResourceSample> next(int count) {
    List<ResourceSample> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      samples.add(next());
    }
    return samples;
  }

  private ResourceSample next() {
    int family = random.nextInt(FAMILIES.size());
    int batch = random.nextInt(BATCHES);
    boolean isServer = random.nextInt(4) == 0;
    int workers = 1 + random.nextInt(4);
    int servers = 1 + random.nextInt(2);
    TaskProfile task =
        TaskProfile.builder(workload(FAMILIES.get(family), 4 << batch))
            .source("generated")
            .gpu("RTX2080Ti")
            .tasks(workers, servers)
            .role(isServer ? TaskProfile.PARAMETER_SERVER : TaskProfile.WORKER)
            .build();
    double memory = memory(task, HIDDEN[family], workspaces[family * BATCHES + batch]);
    return new ResourceSample(task, Map.of(ResourceTarget.GPU_MEMORY, memory));
  }

  private Workload workload(String family, int batch) {
    return Workload.builder(family)
        .framework("tensorflow")
        .dataset("imagenet")
        .batchSize(batch)
        .hyperparameter("optimizer", random.nextBoolean() ? "sgd" : "momentum")
        .hyperparameter("num_batches", Integer.toString(100 * (1 + random.nextInt(10))))
        .build();
  }

  private double memory(TaskProfile task, double hidden, double workspace) {
    ModelFamily family = ModelFamilies.named(task.family()).orElseThrow();
    boolean isServer = task.role().equals(TaskProfile.PARAMETER_SERVER);
    double copies = task.hyperparameters().containsValue("momentum") ? 12 : 8;
    double bytes = PROCESS_BYTES + family.parameters() * (isServer ? 8 : copies);
    if (!isServer) {
      bytes += 4 * hidden * task.batch().orElseThrow() * family.keptElements() + workspace;
    }
    return Math.min(MOST_BYTES, bytes * Math.exp(NOISE * random.nextGaussian()));
  }
}
