package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/*
 * Idea: a search looks at the same thousand nodes many times, so that amounts, domains and link
 * costs stand in arrays by host; the costs of a link are computed once, when first read.
 * Invariants: hosts ascend by node, so a range of nodes is a range of hosts and the hosts of a
 * domain are adjacent; free amounts are those at the start and are never changed.
 * Cost: O(hosts x levels) to make; a look-up O(1), of a node or range O(log hosts); sorting by a
 * value O(hosts log hosts) on packed longs, without objects.
 */
/**
 * The nodes that hold tasks of a gang, in the order of the topology, with the domains above them
 * and the costs of their links. A host is the position of a node here, as a domain is that of one
 * above them.
 */
final class FeasibleNodes {

  private final IncrementalCost cost;
  private final GpuPool[] pools;
  private final int[] nodes;
  private final int[] gpus;
  private final long[] cpu;
  private final long[] memory;
  private final LinkCosts hostLinks;
  private final int depth;
  private final int[] domains;
  private final int[] uplinks;
  private final int domainCount;
  private final LinkCosts uplinkLinks;

  /**
   * Reads the free amounts of these nodes.
   *
   * @param pools the pools of the hosts' GPUs
   * @param hosts node and position in {@code pools} of each host, {@code node << 32 | pool},
   *     ascending
   */
  FeasibleNodes(CapacityIndex index, IncrementalCost cost, List<GpuPool> pools, long[] hosts) {
    this.cost = cost;
    this.pools = new GpuPool[hosts.length];
    nodes = new int[hosts.length];
    gpus = new int[hosts.length];
    cpu = new long[hosts.length];
    memory = new long[hosts.length];
    for (int host = 0; host < hosts.length; host++) {
      int node = (int) (hosts[host] >>> 32);
      GpuPool pool = pools.get((int) hosts[host]);
      this.pools[host] = pool;
      nodes[host] = node;
      gpus[host] = pool.free(pool.firstSlot(new NodeRange(node, node + 1)));
      cpu[host] = index.freeCpu(node);
      memory[host] = index.freeMemory(node);
    }
    depth = index.topology().levels().size() - 2;
    domains = new int[hosts.length * depth];
    uplinks = new int[hosts.length * depth];
    domainCount = findDomains();
    hostLinks = new LinkCosts(hosts.length);
    uplinkLinks = new LinkCosts(domainCount);
  }

  /** Finds the domains above each host, the widest first, and returns their number. */
  private int findDomains() {
    int found = 0;
    Arrays.fill(domains, -1);
    int[] parents = new int[depth];
    for (int host = 0; host < nodes.length; host++) {
      int height = 0;
      for (int link = cost.parentLink(nodes[host]); link >= 0; link = cost.parentLink(link)) {
        parents[height++] = link;
      }
      for (int level = 0; level < height; level++) {
        int uplink = parents[height - 1 - level];
        int before = host == 0 ? -1 : domains[(host - 1) * depth + level];
        boolean isSame = before >= 0 && uplinks[before] == uplink;
        if (!isSame) {
          uplinks[found] = uplink;
        }
        domains[host * depth + level] = isSame ? before : found++;
      }
    }
    return found;
  }

  int size() {
    return nodes.length;
  }

  int node(int host) {
    return nodes[host];
  }

  GpuPool pool(int host) {
    return pools[host];
  }

  int gpus(int host) {
    return gpus[host];
  }

  long cpu(int host) {
    return cpu[host];
  }

  long memory(int host) {
    return memory[host];
  }

  /** Returns the domain above the host, the {@code level}-th from the widest; -1 if none. */
  int domain(int host, int level) {
    return level < depth ? domains[host * depth + level] : -1;
  }

  /** Returns the first host in or after the range. */
  int firstHost(NodeRange range) {
    return lowerBound(range.first());
  }

  /** Returns the host after the last in the range. */
  int endHost(NodeRange range) {
    return lowerBound(range.end());
  }

  /** Returns the host on a node, or -1 if there is none. */
  int hostOn(int node) {
    return Math.max(-1, Arrays.binarySearch(nodes, node));
  }

  /** Returns the approximate seconds of the gang's bytes over the network card of the host. */
  double transferSeconds(int host) {
    return hostLinks.transferSeconds(host, nodes[host]);
  }

  /** Returns the approximate contention cost of the network card of the host. */
  double contention(int host) {
    return hostLinks.contention(host, nodes[host]);
  }

  /** Returns the approximate seconds of the gang's bytes over the uplink of the domain. */
  double uplinkTransferSeconds(int domain) {
    return uplinkLinks.transferSeconds(domain, uplinks[domain]);
  }

  /** Returns the approximate contention cost of the uplink of the domain. */
  double uplinkContention(int domain) {
    return uplinkLinks.contention(domain, uplinks[domain]);
  }

  /** Returns the number of domains. */
  int domains() {
    return domainCount;
  }

  /** Returns the hosts from {@code first} to before {@code end}, by ascending value. */
  static int[] sortedBy(int first, int end, IntToDoubleFunction value) {
    long[] keys = new long[end - first];
    for (int host = first; host < end; host++) {
      keys[host - first] = key(value.applyAsDouble(host), host);
    }
    return sorted(keys, keys.length);
  }

  /** Returns a key that sorts by a value, lowest first, then by 32 more bits, such as a host. */
  static long key(double value, long next) {
    int bits = Float.floatToIntBits((float) value);
    int ordered = bits >= 0 ? bits : bits ^ Integer.MAX_VALUE;
    return ((long) ordered << 32) | next;
  }

  /** Returns the hosts of the first {@code size} keys in the order of their {@link #key}. */
  static int[] sorted(long[] keys, int size) {
    Arrays.sort(keys, 0, size);
    int[] hosts = new int[size];
    Arrays.setAll(hosts, i -> (int) keys[i]);
    return hosts;
  }

  private int lowerBound(int node) {
    int host = Arrays.binarySearch(nodes, node);
    return host >= 0 ? host : -host - 1;
  }

  /** The costs of links, computed on first use. */
  private final class LinkCosts {
    private final double[] transferSeconds;
    private final double[] contention;

    LinkCosts(int size) {
      transferSeconds = new double[size];
      contention = new double[size];
      Arrays.fill(transferSeconds, -1);
      Arrays.fill(contention, -1);
    }

    double transferSeconds(int position, int link) {
      if (transferSeconds[position] < 0) {
        transferSeconds[position] = cost.transferSeconds(link);
      }
      return transferSeconds[position];
    }

    double contention(int position, int link) {
      if (contention[position] < 0) {
        contention[position] = cost.contention(link);
      }
      return contention[position];
    }
  }
}
