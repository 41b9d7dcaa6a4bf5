package io.github.liquidscheduler.training.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Converts what a public data set says of the memory of language models: the weights and kept
 * activations that Sailor lists by layer.
 */
final class PublicMemory {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LONG_CONTEXT = "LLAMA-3-8";

  private PublicMemory() {}

  /**
   * Returns the memory of a training step of Sailor's models, per degree of tensor parallelism: all
   * layers together, for one sample. Its published model code does not fuse attention.
   *
   * @throws IOException if the file cannot be read
   */
  static List<ResourceSample> sailor(Path folder) throws IOException {
    Path file = folder.resolve("sailor/llm_info.json");
    List<ResourceSample> samples = new ArrayList<>();
    if (Files.exists(file)) {
      for (Map.Entry<String, JsonNode> model : JSON.readTree(file.toFile()).properties()) {
        for (Map.Entry<String, JsonNode> shard : model.getValue().properties()) {
          samples.add(sample(model.getKey(), shard.getKey(), shard.getValue()));
        }
      }
    }
    return samples;
  }

  private static ResourceSample sample(String model, String shards, JsonNode layers) {
    double bytes = 0;
    for (JsonNode layer : layers) {
      bytes += layer.path("params_bytes").asDouble() + layer.path("act_mem_bytes").asDouble();
    }
    Workload workload =
        Workload.builder(model)
            .framework("megatron")
            .precision("fp32")
            .batchSize(1)
            .hyperparameter("allocator", "peak")
            .hyperparameter("optimizer", "none")
            .hyperparameter("attention", "eager")
            .hyperparameter("sequence_length", model.equals(LONG_CONTEXT) ? "8192" : "2048")
            .hyperparameter("tensor_parallel", shards)
            .build();
    TaskProfile task =
        TaskProfile.builder(workload)
            .source("sailor")
            .gpusPerTask(Integer.parseInt(shards))
            .build();
    return new ResourceSample(task, Map.of(ResourceTarget.GPU_MEMORY, bytes));
  }
}
