package io.github.liquidscheduler.simulator.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Traces as texts and bytes. */
final class Texts {

  static final String TIRESIAS =
      """
      job_id,num_gpu,submit_time,iterations,model_name,duration,interval
      a,1,0,606,vgg19,164,30
      b,8,30,133,vgg11,147.5,23
      """;

  static final String GAVEL =
      """
      ResNet-50 (batch size 64)\tpython3 main.py -j 2\timagenet\t-n\t1\t2931\t1\t1\t-1.000000\t0
      LM (batch size 5)\tpython "main.py" %s\twikitext2\t--steps\t1\t10027\t4\t1\t-1.000000\t12.5
      """;

  static final String PHILLY =
      """
      timestamp,duration,num_gpus,gpu_time,cluster

      2017-09-07 03:58:57,60.0,1,60.0,6214e9
      2017-09-04 10:30:41,2240194.0,8,17921552.0,7f04ca
      """;

  static final String CSV =
      """
      job_id,submit_time,num_gpu,duration,queue,memory_gib,gpu_models,user
      a,2024-03-01 10:00:00+08:00,0.25,600,vision,16,A100|H100,ann
      b,2024-03-01T02:00:30Z,8,60.5,,,,
      """;

  static final String SHOCKWAVE =
      """
      LM (batch size 10)\tpython3 main.py\tlanguage_modeling\t--steps\t1\t134583\t1\tgns\t1\t-1\t1418\t0
      ResNet-18 (batch size 32)\tpython3 main.py\timage\t-n\t1\t143450\t2\tstatic\t1\t-1\t3338\t55
      """;

  static final String PHILLY_JSON =
      """
      [
      {"status": "Pass", "vc": "ee9e8c", "jobid": "application_1_1", "user": "ce2f4c",
       "submitted_time": "2017-10-07 01:11:39",
       "attempts": [
        {"start_time": "2017-10-07 01:12:09", "end_time": "2017-10-07 01:13:23",
         "detail": [{"ip": "m47", "gpus": ["gpu0", "gpu1"]}, {"ip": "m48", "gpus": ["gpu0"]}]},
        {"start_time": null, "end_time": "2017-10-07 01:13:25", "detail": []},
        {"start_time": "2017-10-07 01:13:30", "end_time": "2017-10-07 01:14:30",
         "detail": [{"ip": "m412", "gpus": ["gpu0", "gpu1", "gpu2"]}]}]},
      {"status": "Killed", "vc": "ee9e8c", "jobid": "application_1_2", "user": "ce2f4c",
       "submitted_time": "2017-10-07 01:10:00",
       "attempts": [
        {"start_time": "2017-10-07 01:12:00", "end_time": "2017-10-07 01:12:01",
         "detail": [{"ip": "m47", "gpus": ["gpu5"]}]}]}
      ]
      """;

  static final String HELIOS =
      """
      job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
      1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0
      1425512,uVMrF,vchbv,16,64,2,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
      """;

  static final String ACME =
      """
      job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
      5778432,u5907,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,117,32,936.0
      5778469,u5907,1,8,128,Other,COMPLETED,2023-03-01 00:23:58+08:00,2023-03-01 00:24:11+08:00,2023-03-01 01:09:04+08:00,2693,13,21544.0
      """;

  static final String ALIBABA_2020 =
      """
      j1,ps,1.0,Terminated,100.0,300.0,600.0,29.296875,,MISC
      j1,worker,2.0,Terminated,110.0,310.0,400.0,8,50.0,MISC
      j2,tensorflow,1.0,Terminated,50.0,60.0,600.0,16,200.0,T4
      """;

  static final String ALIBABA_2023 =
      """
      name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
      openb-pod-0017,88000,327680,8,1000,,Burstable,Succeeded,9437497,10769854,9437500
      openb-pod-0022,4000,15258,1,220,V100M16|V100M32,BE,Running,9679175,9973826,9679175
      """;

  static final String POLLUX =
      """
      name,time,application,num_replicas,batch_size
      cifar10-0,107,cifar10,6,2048
      deepspeech2-1,110,deepspeech2,4,320
      """;

  static final String MURI =
      """
      job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time,resource_time_0,resource_time_1,resource_time_2,priority
      0,8,0,10956,gpt2,4,5095000,91000,437,0.6,419,49,0
      1,8,1534500,1463,vgg16,16,281000,28000,214,82,75,66,1
      """;

  static final String SACCT =
      """
      JobID|User|Partition|State|Submit|Start|End|ReqTRES
      101|ann|gpu|COMPLETED|2024-03-01T10:00:00|2024-03-01T10:00:05|2024-03-01T11:00:05|billing=16,cpu=16,gres/gpu:a100=8,gres/gpu=8,mem=64G,node=2
      101.batch|||COMPLETED|2024-03-01T10:00:05|2024-03-01T10:00:05|2024-03-01T11:00:05|
      102_7|bob|gpu|CANCELLED by 0|2024-03-01T10:01:00|2024-03-01T10:01:00|2024-03-01T10:02:00|cpu=4,gres/gpu=1,mem=4000M,node=1
      """;

  static final String SWF =
      """
      ; Version: 2.2
      ;  MaxProcs: 64
          1      0     12   3600     8   -1    -1     8  7200  1048576  1   3  1  -1   2  1 -1 -1
          2    600     -1    120     4 110.5 2048    -1    -1       -1  0   4  1  -1   1 -1 -1 -1
      """;

  static final String KUBERNETES =
      """
      {"apiVersion": "v1", "kind": "List", "items": [
      {"metadata": {"name": "train-0", "namespace": "ml", "creationTimestamp": "2024-03-01T10:00:00Z",
        "labels": {"batch.kubernetes.io/job-name": "train", "kueue.x-k8s.io/queue-name": "vision"}},
       "spec": {"nodeSelector": {"nvidia.com/gpu.product": "A100"}, "containers": [
        {"resources": {"requests": {"cpu": "500m", "memory": "16Gi", "nvidia.com/gpu": "4"}}},
        {"resources": {"limits": {"cpu": "1"}}}]},
       "status": {"phase": "Succeeded", "startTime": "2024-03-01T10:00:01Z", "containerStatuses": [
        {"state": {"terminated": {"startedAt": "2024-03-01T10:00:10Z", "finishedAt": "2024-03-01T10:05:00Z"}}}]}},
      {"metadata": {"name": "train-1", "namespace": "ml", "creationTimestamp": "2024-03-01T10:00:00Z",
        "labels": {"batch.kubernetes.io/job-name": "train", "kueue.x-k8s.io/queue-name": "vision"}},
       "spec": {"nodeSelector": {"nvidia.com/gpu.product": "A100"}, "containers": [
        {"resources": {"requests": {"cpu": "500m", "memory": "16Gi", "nvidia.com/gpu": "4"}}},
        {"resources": {"limits": {"cpu": "1"}}}]},
       "status": {"phase": "Succeeded", "startTime": "2024-03-01T10:00:01Z", "containerStatuses": [
        {"state": {"terminated": {"startedAt": "2024-03-01T10:00:20Z", "finishedAt": "2024-03-01T10:06:00Z"}}}]}},
      {"metadata": {"name": "notebook", "namespace": "ml", "creationTimestamp": "2024-03-01T10:03:00Z",
        "annotations": {"gpu-fraction": "0.5"}},
       "spec": {"containers": [{"resources": {}}]},
       "status": {"phase": "Failed", "startTime": "2024-03-01T10:03:10Z", "containerStatuses": [
        {"state": {"terminated": {"startedAt": null, "finishedAt": "2024-03-01T10:04:10Z"}}}]}}
      ]}
      """;

  private Texts() {}

  static String of(TraceFormat format) {
    return switch (format) {
      case CSV -> CSV;
      case TIRESIAS -> TIRESIAS;
      case GAVEL -> GAVEL;
      case SHOCKWAVE -> SHOCKWAVE;
      case PHILLY_JSON -> PHILLY_JSON;
      case PHILLY -> PHILLY;
      case HELIOS -> HELIOS;
      case ACME -> ACME;
      case ALIBABA_2020 -> ALIBABA_2020;
      case ALIBABA_2023 -> ALIBABA_2023;
      case POLLUX -> POLLUX;
      case MURI -> MURI;
      case SACCT -> SACCT;
      case SWF -> SWF;
      case KUBERNETES -> KUBERNETES;
    };
  }

  /** Returns a text of the format that has no job. */
  static String withoutJobs(TraceFormat format) {
    return switch (format) {
      case GAVEL, SHOCKWAVE, ALIBABA_2020 -> "\n\n";
      case PHILLY_JSON -> "[]";
      case KUBERNETES -> "{\"items\": [], \"kind\": \"List\"}";
      default -> of(format).lines().findFirst().orElseThrow();
    };
  }

  static Trace read(TraceFormat format, String text) {
    return read(format, text.getBytes(UTF_8));
  }

  static Trace read(TraceFormat format, byte[] bytes) {
    return format.reader().read("jobs.csv", new ByteArrayInputStream(bytes));
  }

  static byte[] compressed(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] without(int last, byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - last);
  }
}
