package io.github.liquidscheduler.simulator.trace;

/** The column mappings of published CSV files. */
final class PublishedColumns {

  /** Pollux's table of the Philly traces; jobs have no ids, times no zone. */
  static final TraceColumns PHILLY =
      TraceColumns.required(
          "submit_time=timestamp", "duration=duration", "num_gpu=num_gpus", "queue=cluster");

  /** {@code cluster_log.csv} of Helios; its column {@code queue} is a time and not read. */
  static final TraceColumns HELIOS =
      TraceColumns.required(
              "job_id=job_id",
              "submit_time=submit_time",
              "duration=duration",
              "num_gpu=gpu_num",
              "queue=vc")
          .optional(
              "start_time=start_time",
              "end_time=end_time",
              "num_nodes=node_num",
              "num_cpu=cpu_num",
              "user=user",
              "status=state");

  /** {@code trace_seren.csv} and {@code trace_kalos.csv} of Acme; they have no queues. */
  static final TraceColumns ACME =
      TraceColumns.required(
              "job_id=job_id", "submit_time=submit_time", "duration=duration", "num_gpu=gpu_num")
          .optional(
              "start_time=start_time",
              "end_time=end_time",
              "num_nodes=node_num",
              "num_cpu=cpu_num",
              "user=user",
              "status=state");

  /** The workloads of Pollux, whose jobs have no durations. */
  static final TraceColumns POLLUX =
      TraceColumns.required(
          "job_id=name",
          "submit_time=time",
          "model_name=application",
          "num_gpu=num_replicas",
          "batch_size=batch_size");

  /** The traces of Muri. */
  static final TraceColumns MURI =
      TraceColumns.required(
          "job_id=job_id",
          "submit_time=submit_time",
          "duration=duration",
          "num_gpu=num_gpu",
          "iterations=iterations",
          "model_name=model_name",
          "batch_size=batch_size");

  private PublishedColumns() {}
}
