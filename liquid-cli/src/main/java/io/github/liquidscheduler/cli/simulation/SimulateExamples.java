package io.github.liquidscheduler.cli.simulation;

/** Examples of {@code liquid simulate}, for its help. */
public final class SimulateExamples {

  /** The lines of the examples. */
  public static final String TEXT =
      """
      Examples:
        liquid simulate --trace jobs.csv --cluster 3x4xP100
        liquid simulate --trace jobs.csv --cluster 3x4xP100 --load 2 \\
            --columns submit_time=arrival,num_gpu=gpus,duration=seconds
        liquid simulate --trace philly.csv.gz --format philly --cluster 38x8xP100 \\
            --policy las --json result.json --csv jobs.csv
        liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\
            --policy srtf --html report.html
        liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\
            --throughputs simulation_throughputs.json --policy srtf
        liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\
            --throughputs simulation_throughputs.json --policy las --gpu-speeds known \\
            --move-pause 60s
        liquid simulate --trace philly.csv.gz --format philly --cluster 20x8xA100 \\
            --policy best-effort-fifo --over-request 2 --estimator compare
        liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\
            --mode batch --window 15s --planner timefold
        liquid simulate --trace jobs.csv --format tiresias --cluster 8x8xP100 \\
            --backfill easy --reservations 4
        liquid simulate --trace philly.csv.gz --format philly --cluster 38x8xP100 \\
            --queues queues.json
        liquid simulate --trace jobs.csv --cluster 2x8xA100 --storage-bandwidth 10Gbit/s \\
            --node-disk 1TiB --prefetch predicted --most-wasted 0.1
        liquid simulate --trace jobs.csv --cluster 2x8xA100 --slowdowns pairs.csv \\
            --policy best-effort-fifo --mode batch --colocate measured
        liquid simulate --trace jobs.csv --format elastic --curves curves.csv \\
            --cluster 8x8xA100 --elastic elastic-tiresias --pending-limit 0\
      """;

  private SimulateExamples() {}
}
